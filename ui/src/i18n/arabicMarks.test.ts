/** Tests of the words that get a zero-width non-joiner. */

import { expect, test } from "vitest";
import { keepOnLine, withoutJoiners } from "./arabicMarks";

test("a word that ends in a mark, or in lam and alef with one, gets a zero-width non-joiner", () => {
  expect(keepOnLine("جارٍ التحميل…")).toBe("جارٍ\u200C التحميل…");
  expect(keepOnLine("لا يُكتب كاملًا.")).toBe("لا يُكتب كاملًا\u200C.");
  expect(keepOnLine("\u2068ردّ\u2069")).toBe("\u2068ردّ\u200C\u2069");
});

test("a file and the clipboard get the text without it, and keep every other one", () => {
  for (const text of ["جارٍ التحميل…", "كاملًا", "می\u200Cخواهم"]) expect(withoutJoiners(keepOnLine(text))).toBe(text);
});

test("other words stay as they are", () => {
  for (const text of ["أبدًا", "تسجيل الدخول", "مشغّل", "Noor's books", "كاملًا\u200C"]) expect(keepOnLine(text)).toBe(text);
});
