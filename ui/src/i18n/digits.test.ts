/** Tests of the conversion of digits between scripts. */

import { expect, test } from "vitest";
import { withDigitsOf, withLatinDigits } from "./digits";

test("digits of every script become those that are asked for, other characters stay", () => {
  expect(withLatinDigits("٢٠٢٦/۰۱-9")).toBe("2026/01-9");
  expect(withDigitsOf(0x660, "12٣۴a")).toBe("١٢٣٤a");
});
