/** Tests of the units that are known by words and by codes, in a window of either language. */

import { expect, test } from "vitest";
import { createLocalizer } from "../i18n/localizer";
import { unitCodes } from "../ipc/invoiceCodes";
import { normalizeForSearch } from "../organizations/search";
import { unitList } from "./codeLists";
import { namedUnitOf, unitOf, unitWords } from "./units";

const localizers = [createLocalizer("en", "latin"), createLocalizer("ar", "arabic")];
const all = unitCodes.split(" ");

test("each name of a unit is known in both languages, whatever the window has", () => {
  for (const localizer of localizers) {
    const names = all.map((code) => [code, unitList.nameOf(code, localizer)] as const).filter(([, name]) => name !== "");
    expect(names.map(([code]) => code).toSorted()).toEqual(Object.keys(unitWords).toSorted());
    expect(names.filter(([code, name]) => namedUnitOf(name) !== code)).toEqual([]);
  }
});

test("a word is of one unit", () => {
  const wordsOf = ([code, own]: [string, readonly string[]]) => new Set([code].concat(own).map(normalizeForSearch));
  const words = Object.entries(unitWords).flatMap((unit) => Array.from(wordsOf(unit)));
  expect(words.filter((word, index) => words.indexOf(word) !== index)).toEqual([]);
});

test("every code of the list is a unit, but for those that are words for another one", () => {
  expect(all.filter((code) => unitOf(code) !== code).map((code) => [code, unitOf(code)])).toEqual([
    ["CTN", "XCT"],
    ["GM", "GRM"],
    ["KGS", "KGM"],
    ["KW", "KWT"],
  ]);
});

test("words are known in any case and form, codes as they are written", () => {
  expect([" Boxes ", "BX", "أسبوع", "ساعه", "M²", "xpx"].map(unitOf)).toEqual(["XBX", "XBX", "WEE", "HUR", "MTK", "XPX"]);
  expect(unitOf("NMP")).toBe("NMP");
  expect(["nmp", "wagon", ""].map(unitOf)).toEqual([null, null, null]);
  expect(namedUnitOf("NMP"), "an item can have such a code").toBeNull();
});
