// A theme is colours alone. The tests in a browser rely on it: they look at the layout in one theme of each language.

import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const files = readdirSync("src", { recursive: true, encoding: "utf8" });
const read = (name: string) => readFileSync(`src/${name}`, "utf8");

/** The declarations of the rules of themes, and the selector of a rule that is nested in one. */
function declarationsOfThemes(css: string): string[] {
  const rules = css.replaceAll(/\/\*[\s\S]*?\*\//g, "").matchAll(/\[data-(?:theme|contrast)\b[^{]*\{([^{}]*)[{}]/g);
  return [...rules]
    .flatMap(([, declarations = ""]) => declarations.split(";"))
    .map((declaration) => declaration.trim())
    .filter((declaration) => declaration !== "");
}

test("styles of a theme set nothing but colours", () => {
  const declarations = files.filter((name) => name.endsWith(".css")).flatMap((name) => declarationsOfThemes(read(name)));
  expect(declarations).toContain("color-scheme: dark");
  expect(declarations.filter((declaration) => !/^(?:--color-[\w-]+|color-scheme):/.test(declaration))).toEqual([]);
});

test("no component has styles of a theme", () => {
  const components = files.filter((name) => name.endsWith(".tsx"));
  const ofTheme = /data-\[?(?:theme|contrast)\b|[\s"'`](?:dark|contrast-more|contrast-less):/;
  expect(components.filter((name) => ofTheme.test(read(name)))).toEqual([]);
});
