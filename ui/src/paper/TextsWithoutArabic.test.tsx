/** Tests of the notice about texts without Arabic: on which paper it is, what it names, and where it leads. */

import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { content } from "../gallery/fixtures";
import { renderInWorkspace } from "../gallery/renderInWorkspace";
import type { PrintLanguage } from "../ipc/bindings";
import { createQueryClient } from "../state/queryClient";
import { defaultPreferences } from "../state/usePreferences";
import { TextsWithoutArabic } from "./TextsWithoutArabic";

afterEach(cleanup);

const [line = expect.fail("there is a sample line")] = content.lines;
const english = { ...line, description: { ar: "", en: "Delivery" } };

function show(language: PrintLanguage, lines = [line, english], onGo?: (field: string) => void, country = "SA") {
  const client = createQueryClient();
  client.setQueryData(["preferences"], { ...defaultPreferences, paper: { language, besideForm: true } });
  renderInWorkspace(<TextsWithoutArabic content={{ ...content, lines }} country={country} onGo={onGo} />, { client });
}

const items = () => screen.queryAllByRole("listitem").map(({ textContent }) => textContent?.replace(/[\u2068\u2069]/g, ""));

test.each<[PrintLanguage, number]>([
  ["english", 0],
  ["arabic", 1],
  ["both", 1],
])("on a paper in %s", (language, count) => {
  show(language);
  expect(items()).toHaveLength(count);
});

test("each name leads to its field, and the law is named where it applies", () => {
  const onGo = vi.fn();
  show("arabic", [line, english], onGo);
  expect(screen.getByText(/^Saudi tax invoices must be in Arabic/)).toBeTruthy();
  fireEvent.click(screen.getByRole("button", { name: /Description in Arabic/ }));
  expect(onGo).toHaveBeenCalledExactlyOnceWith("lines[1].description.ar");
  cleanup();
  show("arabic", [line, english], onGo, "KW");
  expect(screen.queryByText(/Saudi/)).toBeNull();
  expect(items()).toHaveLength(1);
});

test("a document that is only shown has names, and one of many lines the first of them", () => {
  show(
    "both",
    Array.from({ length: 7 }, () => english),
  );
  expect(screen.queryByRole("button")).toBeNull();
  expect(items()).toHaveLength(6);
  expect(items().at(-1)).toBe("And 2 more.");
});

test("a document with all its texts in Arabic has no notice", () => {
  show("arabic", [line]);
  expect(screen.queryByRole("status")).toBeNull();
});
