/** Tests of the formatters for money, dates, ages and the Umm al-Qura calendar. */
import { describe, expect, test } from "vitest";
import { createFormatters } from "./format";
import { localeTag } from "./localizer";

const english = createFormatters(localeTag("en", "latin"));
const arabic = createFormatters(localeTag("ar", "latin"));
const arabicDigits = createFormatters(localeTag("ar", "arabic"));

describe("money", () => {
  test("is formatted after its currency code, with grouping", () => {
    expect(english.money("23000.00", "SAR")).toBe("SAR\u00a023,000.00");
    expect(arabic.money("23000.00", "SAR")).toBe("SAR\u00a023,000.00");
  });
  test("has the minor unit digits of its currency in every engine", () => {
    expect(english.money("812.375", "KWD")).toBe("KWD\u00a0812.375");
    expect(english.money("5", "KWD")).toBe("KWD\u00a05.000");
    expect(["CLP", "TND", "IQD", "CLF", "INR", "HRK", ""].map((code) => english.amount("5", code))).toEqual([
      "5",
      "5.000",
      "5.000",
      "5.0000",
      "5.00",
      "5.00",
      "5.00",
    ]);
    expect(english.money("5", "SAR")).toBe("SAR\u00a05.00");
    expect(english.money("1500", "JPY")).toBe("JPY\u00a01,500");
    expect(english.money("1500.25", "IQD")).toBe("IQD\u00a01,500.250");
  });
  test("keeps additional digits", () => {
    expect(english.amount("1.23456", "SAR")).toBe("1.23456");
  });
  test("is exact beyond the precision of a float", () => {
    expect(english.amount("90071992547409930123.01", "SAR")).toBe("90,071,992,547,409,930,123.01");
  });
  test("has the minus sign U+2212", () => {
    expect(english.money("-1725.00", "SAR")).toBe("SAR\u00a0\u22121,725.00");
    expect(arabic.money("-1725.00", "SAR")).toBe("SAR\u00a0\u22121,725.00");
  });
  test("uses Arabic-Indic digits if preferred", () => {
    expect(arabicDigits.amount("1091.50", "SAR")).toBe("١٬٠٩١٫٥٠");
  });
  test("is unchanged if it is not a number", () => {
    expect(english.amount("12a", "SAR")).toBe("12a");
    expect(english.money("", "SAR")).toBe("");
  });
});

describe("dates", () => {
  test("are Gregorian in Arabic too, with Arabic months", () => {
    expect(arabic.date("2026-11-14")).toContain("نوفمبر");
    expect(arabic.date("2026-11-14")).toContain("2026");
    expect(arabicDigits.date("2026-11-14")).toContain("٢٠٢٦");
  });
  test("omit the current year in the short form", () => {
    expect(english.shortDate("2026-11-14", "2026-01-01")).toBe("14 Nov");
    expect(english.shortDate("2025-11-14", "2026-01-01")).toBe("14 Nov 2025");
  });
  test("do not depend on the local time zone", () => {
    expect(english.date("2026-01-01")).toBe("1 Jan 2026");
  });
  test("are unchanged if they are not valid", () => {
    expect(english.date("soon")).toBe("soon");
    expect(english.dateTime("soon")).toBe("soon");
  });
  test("countdowns are in minutes and seconds", () => {
    expect(english.countdown(14)).toBe("0:14");
    expect(arabicDigits.countdown(75)).toBe("١:١٥");
  });
});

describe("age", () => {
  const now = new Date("2026-11-22T12:00:00Z");
  test("is told in the largest whole unit, in words", () => {
    expect(english.age("2026-11-19T11:00:00Z", now)).toBe("3 days ago");
    expect(english.age("2026-11-21T11:00:00Z", now)).toBe("yesterday");
    expect(english.age("2026-11-22T10:30:00Z", now)).toBe("1 hour ago");
    expect(english.age("2026-11-22T11:55:30Z", now)).toBe("4 minutes ago");
    expect(arabic.age("2026-11-19T11:00:00Z", now)).toBe("قبل 3 أيام");
    expect(arabicDigits.age("2026-11-19T11:00:00Z", now)).toBe("قبل ٣ أيام");
  });
  test("of less than a minute, or of a clock that is behind, is this minute", () => {
    expect(english.age("2026-11-22T11:59:40Z", now)).toBe("this minute");
    expect(english.age("2026-11-22T12:05:00Z", now)).toBe("this minute");
    expect(english.age("never", now)).toBe("");
  });
});

describe("the Umm al-Qura calendar", () => {
  const hijri = createFormatters(localeTag("ar", "arabic", "ummAlQura"));
  const hijriEnglish = createFormatters(localeTag("en", "latin", "ummAlQura"));
  test("shows dates with its months, years and era", () => {
    expect(hijri.date("2026-11-14")).toBe("٤ جمادى الآخرة ١٤٤٨ هـ");
    expect(hijriEnglish.date("2026-11-14")).toContain("1448 AH");
  });
  test("omits the year of today by its own years", () => {
    // 1448 began on 16 June 2026.
    expect(hijriEnglish.shortDate("2026-11-14", "2027-03-01")).not.toContain("1448");
    expect(hijriEnglish.shortDate("2026-11-14", "2026-05-01")).toContain("1448");
  });
});

describe("signs of currencies", () => {
  const signs = createFormatters(localeTag("en", "latin"), "sign");
  const arabicSigns = createFormatters(localeTag("ar", "latin"), "sign");
  test("stand where the code stood, left of the amount in both directions", () => {
    expect(signs.money("1500", "EUR")).toBe("€\u00a01,500.00");
    expect(arabicSigns.money("23000.00", "SAR")).toBe("ر.س\u200e\u00a023,000.00");
  });
  test("are codes where the language has none", () => {
    expect(signs.money("5", "SAR")).toBe("SAR\u00a05.00");
    expect(signs.currency("XXZ")).toBe("XXZ");
  });
});
