/** Tests of the report of months. */

import { expect, test } from "vitest";
import { createLocalizer } from "../i18n/localizer";
import type { MonthlySums } from "../ipc/bindings";
import { monthReports } from "./reports";

const totals = { count: 1, net: "100.00", tax: "15.00", gross: "115.00" };
const sums = {
  currencies: [
    { currency: "SAR", months: [{ month: "2026-11", totals, bar: { amount: "100.00", length: 1000 } }], total: totals },
  ],
  answered: "2026-12-01T00:00:00Z",
  offline: false,
} as unknown as MonthlySums;

const namesOf = (localizer: ReturnType<typeof createLocalizer>) =>
  monthReports(sums, localizer).flatMap(({ chart, rows }) => [
    chart[0]?.name,
    chart[0]?.short,
    chart[0]?.narrow,
    rows[0]?.cells[0],
  ]);

test("the months of the service have their Gregorian names also where dates are in the Umm al-Qura calendar", () => {
  expect(namesOf(createLocalizer("en", "latin", undefined, { calendar: "ummAlQura" }))).toEqual([
    "November 2026",
    "Nov",
    "11",
    "November 2026",
  ]);
});

test("the digits of a month are those of the setting", () => {
  const arabic = namesOf(createLocalizer("ar", "arabic", undefined, { calendar: "ummAlQura" }));
  expect(arabic).toEqual(namesOf(createLocalizer("ar", "arabic")));
  expect(arabic[0]).toMatch(/٢٠٢٦/);
  expect(arabic[2]).toBe("١١");
});
