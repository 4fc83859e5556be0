/** Tests that every code which the rules accept can be chosen, and is found by its code and its name. */

import { expect, test } from "vitest";
import { createLocalizer } from "../i18n/localizer";
import { countryCodes } from "../ipc/invoiceCodes";
import {
  type CodeList,
  codeText,
  commonChoices,
  countries,
  countryName,
  currencyList,
  hasOthers,
  taxCategoryList,
  unitList,
} from "./codeLists";
import { findCodes, searchableCodes, typedCode } from "./codeSearch";
import { exemptionList, paymentMeansList, reasonList } from "./details/reasonCodes";

const english = createLocalizer("en", "latin");
const arabic = createLocalizer("ar", "arabic");

const lists: readonly [string, CodeList][] = [
  ["units", unitList],
  ["currencies", currencyList],
  ["tax categories", taxCategoryList],
  ["reasons for allowances", reasonList("allowance")],
  ["reasons for charges", reasonList("charge")],
  ["means of payment", paymentMeansList],
  ["exemptions in France", exemptionList("E", "FR")],
  ["supplies within the European Union", exemptionList("K", "DE")],
  ["exemptions in Saudi Arabia", exemptionList("E", "SA")],
  ["zero rates in Saudi Arabia", exemptionList("Z", "SA")],
  ["what is outside of the tax in Saudi Arabia", exemptionList("O", "SA")],
];

const ids = (choices: readonly { id: string }[]) => choices.map(({ id }) => id);
/** The codes that are found by what is typed. */
const found = (list: CodeList, typed: string, localizer = english) => ids(findCodes(searchableCodes(list, localizer), typed));

test.each(lists)("each code of the %s can be chosen, the common ones first", (_, list) => {
  const all = list.all.split(" ");
  const offered = found(list, "");
  expect(offered.toSorted()).toEqual(all.toSorted());
  expect(ids(commonChoices(list, "", english))).toEqual(offered.slice(0, list.common.length));
  expect(hasOthers(list)).toBe(all.length > list.common.length || list.others !== undefined);
});

test.each(lists)("each of the common %s has a name in both languages", (_, list) => {
  for (const localizer of [english, arabic]) {
    expect(list.common.filter((code) => list.nameOf(code, localizer) === "")).toEqual([]);
  }
});

test.each(lists)("one of the %s that is typed is found first", (_, list) => {
  const codes = searchableCodes(list, english);
  const all = list.all.split(" ");
  // To look for each of the units takes as long as all other tests.
  const typed = all.filter((_code, index) => index % Math.ceil(all.length / 60) === 0);
  expect(typed.map((code) => findCodes(codes, code.toLowerCase())[0]?.id)).toEqual(typed);
});

test("a code is found by words of its name in the language of the window", () => {
  expect(found(currencyList, "indian")[0]).toBe("INR");
  expect(found(unitList, "kilowatt").slice(0, 2)).toEqual(["KWT", "KWH"]);
  expect(found(unitList, "منصة", arabic)).toEqual(["XPX"]);
  expect(found(taxCategoryList, "union european")).toEqual(["K"]);
  expect(found(currencyList, "no such currency")).toEqual([]);
});

test("the current code stands before the common ones if it is not one of them, with its name if it has one", () => {
  expect(commonChoices(unitList, "XCT", arabic)[0]).toEqual({ id: "XCT", label: "كرتون", detail: "XCT" });
  expect(commonChoices(unitList, "NMP", english)[0]).toEqual({ id: "NMP", label: "NMP" });
  expect(commonChoices(currencyList, "TND", english)[0]).toEqual({ id: "TND", label: "TND", detail: "Tunisian Dinar" });
  expect(codeText(paymentMeansList, "30", english)).toBe("Bank transfer");
  expect(codeText(paymentMeansList, "70", english)).toBe("70");
});

test("what is typed can be a code if it has the form of one that is accepted beside the list", () => {
  const typedUnits = ["kwh ", "١٠", "kilo", "a b", "طن", ""].map((typed) => typedCode(unitList, typed));
  expect(typedUnits).toEqual(["KWH", "10", null, null, null, null]);
  expect(typedCode(exemptionList("E", "AE"), "vatex-x(1)")).toBe("VATEX-X(1)");
  expect([exemptionList("E", "SA"), currencyList].map((list) => typedCode(list, "vat"))).toEqual([null, null]);
});

test("each country of the rules can be chosen, with a name", () => {
  for (const localizer of [english, arabic]) {
    const choices = countries(localizer);
    expect(ids(choices).toSorted()).toEqual(countryCodes.split(" ").toSorted());
    expect(choices.filter(({ id, label }) => label === id)).toEqual([]);
  }
  expect(["XI", "1A", "SA", "??"].map((code) => countryName(english, code))).toEqual([
    "Northern Ireland",
    "Kosovo",
    "Saudi Arabia",
    "??",
  ]);
});
