/** Tests of the report of buyers. */

import { expect, test } from "vitest";
import { createLocalizer, plainText } from "../i18n/localizer";
import type { BuyerSums } from "../ipc/bindings";
import { buyerReports, buyerTable } from "./buyers";

const sums: BuyerSums = {
  currencies: [
    {
      currency: "SAR",
      rows: [
        {
          group: { kind: "buyer", name: { ar: "شركة النخيل", en: "Palm" }, taxId: "300000000000003" },
          count: 2,
          net: "200.00",
          gross: "230.00",
          length: 1000,
        },
        { group: { kind: "noBuyer" }, count: 1, net: "10.00", gross: "11.50", length: 50 },
        { group: { kind: "rest", buyers: 3 }, count: 4, net: "-4.00", gross: "-4.60", length: null },
      ],
      count: 7,
      net: "206.00",
      gross: "236.90",
    },
  ],
  answered: "2027-01-01T00:00:00Z",
  offline: false,
};

test("buyers have their place and the rest is counted, in both languages", () => {
  for (const [language, expected] of [
    ["en", ["1. Palm", "2. Without a buyer", "3 other buyers", "Total"]],
    ["ar", ["1. شركة النخيل", "2. بلا مشترٍ", "3 مشترين آخرين", "المجموع"]],
  ] as const) {
    const [report] = buyerReports(sums, createLocalizer(language, "latin"));
    expect(report?.rows.map(({ cells }) => plainText(cells[0] ?? ""))).toEqual(expected);
    expect(report?.chart.map(({ length }) => length)).toEqual([1000, 50]);
  }
});

test("the file has exact amounts, names and tax numbers", () => {
  const [, ...rows] = buyerTable(sums, createLocalizer("en", "latin"));
  expect(rows.map((row) => row.map(plainText))).toEqual([
    ["SAR", "Palm", "300000000000003", "2", "200.00", "230.00"],
    ["SAR", "Without a buyer", "", "1", "10.00", "11.50"],
    ["SAR", "3 other buyers", "", "4", "-4.00", "-4.60"],
  ]);
});
