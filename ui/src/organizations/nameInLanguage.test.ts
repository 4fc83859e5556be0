/** Tests of the name of an organization in the language of the window. */
import { expect, test } from "vitest";
import { organizations } from "../gallery/fixtures";
import { nameInLanguage } from "./nameInLanguage";

test("an organization has its Arabic name and badge in a window in Arabic", () => {
  const named = { ...organizations[0]!, name: "Al-Khair Trading", badge: "AK", arabic: { name: "الخير للتجارة", badge: "خل" } };
  expect(nameInLanguage(named, { language: "en" })).toEqual(named);
  expect(nameInLanguage(named, { language: "ar" })).toMatchObject({ name: "الخير للتجارة", badge: "خل" });
});

test("an organization without an Arabic name has the same name in both languages", () => {
  const aliased = { ...organizations[0]!, name: "Khair", arabic: null };
  expect(nameInLanguage(aliased, { language: "ar" }).name).toBe("Khair");
});
