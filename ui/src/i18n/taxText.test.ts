/** Tests of taxes in words. */

import { describe, expect, test } from "vitest";
import { createLocalizer, plainText } from "./localizer";
import { taxCategoryText, taxName, taxRateText } from "./taxText";

const english = createLocalizer("en", "latin");
const arabic = createLocalizer("ar", "latin");

describe("tax in words", () => {
  test.each([
    ["S", "15", "VAT 15\u00a0%", "ضريبة القيمة المضافة 15٪"],
    ["Z", "0", "VAT: Zero rate", "ضريبة القيمة المضافة: النسبة الصفرية"],
    ["E", "", "VAT: Exempt", "ضريبة القيمة المضافة: معفاة"],
    ["L", "7", "VAT: Canary Islands (IGIC) 7\u00a0%", "ضريبة القيمة المضافة: جزر الكناري (IGIC) 7٪"],
  ])("an amount of tax of %s %s has no code in its name", (category, rate, inEnglish, inArabic) => {
    expect(plainText(taxName({ category, rate }, english))).toBe(inEnglish);
    expect(plainText(taxName({ category, rate }, arabic))).toBe(inArabic);
  });

  test("the standard rate is its percentage, and another category its words", () => {
    expect(taxRateText({ category: "S", rate: "15" }, english)).toBe("15\u00a0%");
    expect(taxRateText({ category: "O", rate: "" }, english)).toBe("Not subject to tax");
    expect(taxRateText({ category: "S", rate: "" }, english)).toBe("Standard rate");
  });

  test.each(["S", "Z", "E", "O", "AE", "G", "K", "L", "M", "B"])("the category %s of EN 16931 has words", (category) => {
    for (const localizer of [english, arabic]) expect(taxCategoryText(category, localizer)).not.toBe(category);
  });

  test("a category that is not known keeps its code", () => {
    expect(taxCategoryText("X9", english)).toBe("X9");
  });
});
