/** Tests of the conversion of typed digits to those of the locale. */
import { expect, test } from "vitest";
import { withDigitsOf } from "./useDigitsOfLocale";

test("digits of every script become those of the locale, other characters stay", () => {
  expect(withDigitsOf(0x30, "٢٠٢٦/۰۱-9")).toBe("2026/01-9");
  expect(withDigitsOf(0x660, "12٣۴a")).toBe("١٢٣٤a");
});
