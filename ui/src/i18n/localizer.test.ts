/** Tests of the localizer of each language. */
import { describe, expect, test } from "vitest";
import { chooseLanguage, createLocalizer, plainText } from "./localizer";

describe("localizer", () => {
  test("uses the chosen language, else the system's", () => {
    expect(chooseLanguage("en", ["ar-SA"])).toBe("en");
    expect(chooseLanguage(null, ["ar-SA", "en"])).toBe("ar");
    expect(chooseLanguage(null, ["fr", "ar"])).toBe("en");
  });
  test("uses the six Arabic plural forms", () => {
    const { t } = createLocalizer("ar", "latin");
    const texts = [1, 2, 3, 11, 100].map((count) => plainText(t("line-count", { count })));
    expect(texts).toEqual(["بند واحد", "بندان", "3 بنود", "11 بندًا", "100 بند"]);
  });
  test("isolates the direction of arguments", () => {
    const { t } = createLocalizer("ar", "latin");
    expect(t("save-to", { organization: "Al-Khair" })).toContain("\u2068Al-Khair\u2069");
  });
});
