/** Tests of what is told of the end of an export. */
import { expect, test } from "vitest";
import { createLocalizer, plainText } from "../i18n/localizer";
import type { Export } from "../ipc/bindings";
import { exportNotice } from "./exportNotice";

const told = (state: Export["state"], rows: number | null, language: "en" | "ar" = "en") => {
  const text = exportNotice({ state, rows } as Export, createLocalizer(language, "latin"));
  return text && plainText(text);
};

test("an export that has ended says how many documents it has, if that is known", () => {
  expect(told("finished", 2)).toBe("The export is ready: 2 documents");
  expect(told("finished", null)).toBe("The export is ready.");
  expect(told("finished", null, "ar")).toBe("التصدير جاهز.");
});

test("one that its author has cancelled is not told", () => {
  expect(told("cancelled", null)).toBeNull();
  expect(told("failed", 0)).toContain("failed");
});
