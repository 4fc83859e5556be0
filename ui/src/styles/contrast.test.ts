// The contrast of the colours of each theme (WCAG 2.2, 1.4.3, 1.4.6 and 1.4.11), computed from tokens.css.

import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";

const css = readFileSync("src/styles/tokens.css", "utf8");

function colors(block: string, scheme: "light" | "dark"): Map<string, string> {
  const pairs = [...block.matchAll(/--color-([\w-]+):\s*light-dark\((#\w{6}),\s*(#\w{6})\)/g)];
  return new Map(pairs.map(([, name, light, dark]) => [name ?? "", (scheme === "light" ? light : dark) ?? ""]));
}

const [plain, ...rest] = css.split(':root[data-contrast="more"]');
const themes = (["light", "dark"] as const).flatMap((scheme) => {
  const normal = colors(plain ?? "", scheme);
  return [
    { name: scheme, text: 4.5, line: 3, colors: normal },
    { name: `high contrast ${scheme}`, text: 7, line: 4.5, colors: new Map([...normal, ...colors(rest.join(""), scheme)]) },
  ];
});

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

const papers = ["canvas", "surface", "sunken"];
const texts: [string, string[]][] = [
  ["fg", [...papers, "accent-soft", "danger-soft", "warning-soft", "success-soft"]],
  ["fg-2", papers],
  ["fg-3", papers],
  ["accent", ["canvas", "surface"]],
  ["danger", ["canvas", "surface", "danger-soft"]],
  ["warning", ["canvas", "surface", "warning-soft"]],
  ["success", ["canvas", "surface"]],
  ["accent-fg", ["accent", "accent-strong"]],
  ["danger-fg", ["danger"]],
];

describe.each(themes)("$name", ({ text, line, colors: color }) => {
  test.each(texts.flatMap(([ink, backgrounds]) => backgrounds.map((paper) => [ink, paper] as const)))(
    "%s on %s is legible",
    (ink, paper) => {
      expect(contrast(color.get(ink) ?? "", color.get(paper) ?? "")).toBeGreaterThanOrEqual(text);
    },
  );
  test.each(["control", "focus"].flatMap((edge) => papers.map((paper) => [edge, paper] as const)))(
    "%s on %s is visible",
    (edge, paper) => {
      expect(contrast(color.get(edge) ?? "", color.get(paper) ?? "")).toBeGreaterThanOrEqual(line);
    },
  );
});
