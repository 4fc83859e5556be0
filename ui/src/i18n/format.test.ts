import { describe, expect, test } from "vitest";
import { createFormatters } from "./format";
import { chooseLanguage, createLocalizer, localeTag, stripIsolates } from "./localizer";

const english = createFormatters(localeTag("en", "latin"));
const arabic = createFormatters(localeTag("ar", "latin"));
const arabicDigits = createFormatters(localeTag("ar", "arabic"));

describe("money", () => {
  test("stands behind its currency, with grouping", () => {
    expect(english.money("23000.00", "SAR")).toBe("SAR\u00a023,000.00");
    expect(arabic.money("23000.00", "SAR")).toBe("SAR\u00a023,000.00");
  });
  test("has the minor digits of its currency, whatever the engine thinks", () => {
    expect(english.money("812.375", "KWD")).toBe("KWD\u00a0812.375");
    expect(english.money("5", "KWD")).toBe("KWD\u00a05.000");
    expect(english.money("5", "SAR")).toBe("SAR\u00a05.00");
    expect(english.money("1500", "JPY")).toBe("JPY\u00a01,500");
    expect(english.money("1500.25", "IQD")).toBe("IQD\u00a01,500.250");
  });
  test("hides no digit that is there", () => {
    expect(english.amount("1.23456", "SAR")).toBe("1.23456");
  });
  test("is exact beyond what a float can hold", () => {
    expect(english.amount("90071992547409930123.01", "SAR")).toBe("90,071,992,547,409,930,123.01");
  });
  test("has a true minus sign", () => {
    expect(english.money("-1725.00", "SAR")).toBe("SAR\u00a0\u22121,725.00");
    expect(arabic.money("-1725.00", "SAR")).toBe("SAR\u00a0\u22121,725.00");
  });
  test("takes Arabic-Indic digits where they are preferred", () => {
    expect(arabicDigits.amount("1091.50", "SAR")).toBe("١٬٠٩١٫٥٠");
  });
  test("shows what it cannot read as it came", () => {
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
  test("leave this year out where there is little room", () => {
    expect(english.shortDate("2026-11-14", new Date(2026, 0, 1))).toBe("14 Nov");
    expect(english.shortDate("2025-11-14", new Date(2026, 0, 1))).toBe("14 Nov 2025");
  });
  test("do not depend on this computer's zone", () => {
    expect(english.date("2026-01-01")).toBe("1 Jan 2026");
  });
  test("that cannot be read stay as they came", () => {
    expect(english.date("soon")).toBe("soon");
    expect(english.moment("soon")).toBe("soon");
  });
  test("count down in minutes and seconds", () => {
    expect(english.countdown(14)).toBe("0:14");
    expect(arabicDigits.countdown(75)).toBe("١:١٥");
  });
});

describe("words", () => {
  test("follow the chosen language, else the system's", () => {
    expect(chooseLanguage("en", ["ar-SA"])).toBe("en");
    expect(chooseLanguage(null, ["ar-SA", "en"])).toBe("ar");
    expect(chooseLanguage(null, ["fr", "ar"])).toBe("en");
  });
  test("count as Arabic counts", () => {
    const { t } = createLocalizer("ar", "latin");
    const said = [1, 2, 3, 11, 100].map((count) => stripIsolates(t("line-count", { count })));
    expect(said).toEqual(["بند واحد", "بندان", "3 بنود", "11 بندًا", "100 بند"]);
  });
  test("isolate the names that are filled in", () => {
    const { t } = createLocalizer("ar", "latin");
    expect(t("save-to", { organization: "Al-Khair" })).toContain("\u2068Al-Khair\u2069");
  });
});
