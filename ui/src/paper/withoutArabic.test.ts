/** Tests of which texts of a document are not in Arabic. */

import { expect, test } from "vitest";
import { content, organizations } from "../gallery/fixtures";
import type { InvoiceContent } from "../ipc/bindings";
import { fieldsWithoutArabic, isSellerWithoutArabic } from "./withoutArabic";

const [sample = expect.fail("there are sample organizations")] = organizations;
const [line = expect.fail("there is a sample line")] = content.lines;

function withDescriptions(...descriptions: [ar: string, en: string][]): InvoiceContent {
  const lines = descriptions.map(([ar, en]) => Object.assign(structuredClone(line), { description: { ar, en } }));
  return { ...content, lines };
}

test("a document whose names and descriptions are in both languages lacks nothing", () => {
  expect(fieldsWithoutArabic(content)).toEqual([]);
});

test("a name, a description and a note in English alone lead to their Arabic fields", () => {
  const english = { ...withDescriptions(["قفازات", "Gloves"], ["", "Delivery"], [" ", "Storage"]), note: "Thank you" };
  const buyer = { ...content.buyer, name: { ar: "", en: "Nakheel" } };
  const expected = ["buyer.name.ar", "lines[1].description.ar", "lines[2].description.ar", "noteAr"];
  expect(fieldsWithoutArabic({ ...english, buyer })).toEqual(expected);
});

test("what is empty, a number, or was typed in Arabic in the other field has nothing to translate", () => {
  expect(fieldsWithoutArabic({ ...withDescriptions(["", ""], ["", "4711-20"], ["", "توصيل"]), note: "شكرًا" })).toEqual([]);
});

test.each([
  ["is not in Arabic", "Asia/Riyadh", false, ["Al-Khair Trading", "alkhair.example"], true],
  ["is in both languages", "Asia/Riyadh", true, ["Our client", "Al-Khair Trading", "الخير للتجارة"], false],
  ["has an alias in Arabic alone", "Asia/Riyadh", true, ["عميلنا", "Al-Khair Trading", "alkhair.example"], true],
  ["is not known yet", "", false, ["alkhair.example"], false],
])("the name of a seller that %s", (_, timeZone, aliased, foundBy, lacks) => {
  expect(isSellerWithoutArabic({ ...sample, timeZone, aliased, foundBy })).toBe(lacks);
});
