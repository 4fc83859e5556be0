/** Tests of the periods of reports. */
import { expect, test } from "vitest";
import { chosenPeriod, periodOf, rangeProblems, wholeMonths } from "./periods";

test("periods begin and end with whole months, also across the year", () => {
  const today = new Date(2026, 1, 14);
  expect(periodOf("month", today)).toEqual({ from: "2026-02-01", to: "2026-02-28" });
  expect(periodOf("last-month", today)).toEqual({ from: "2026-01-01", to: "2026-01-31" });
  expect(periodOf("quarter", today)).toEqual({ from: "2026-01-01", to: "2026-03-31" });
  expect(periodOf("last-quarter", today)).toEqual({ from: "2025-10-01", to: "2025-12-31" });
  expect(periodOf("twelve", today)).toEqual({ from: "2025-03-01", to: "2026-02-28" });
  expect(periodOf("last-year", today)).toEqual({ from: "2025-01-01", to: "2025-12-31" });
});

test.each([
  ["2020-01-01", "2020-01-01", {}],
  ["2016-07-15", "2026-06-30", {}],
  ["2016-07-15", "2026-07-01", { to: "tooLong" }],
  ["2020-02-01", "2020-01-31", { to: "reversed" }],
  ["", "2020-13-01", { from: "missing", to: "noDate" }],
  ["3 / mm / 2020", "2020-01-31", { from: "noDate" }],
] as const)("%s to %s is a range of at most ten years, or the end that is wrong is named", (from, to, problems) => {
  expect(rangeProblems({ from, to })).toEqual(problems);
});

test("a range is kept with its days, a period follows the day of today, and what cannot be read is the last twelve months", () => {
  const today = new Date(2026, 1, 14);
  const of = (name: string, from = "", to = "") => chosenPeriod({ name, from, to }, today);
  const twelve = { id: "twelve", period: periodOf("twelve", today) };
  expect(of("days", "2019-10-01", "2019-12-31")).toEqual({ id: "days", period: { from: "2019-10-01", to: "2019-12-31" } });
  expect(of("last-month").period).toEqual({ from: "2026-01-01", to: "2026-01-31" });
  for (const unreadable of [of("days", "x", "2019-12-31"), of("decade"), chosenPeriod(null, today)])
    expect(unreadable).toEqual(twelve);
});

test("months are whole: a range within them is shown with all of their days", () => {
  expect(wholeMonths({ from: "2023-11-20", to: "2024-02-03" })).toEqual({ from: "2023-11-01", to: "2024-02-29" });
});
