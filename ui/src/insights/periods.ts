/** Periods of reports, in the local calendar: those that follow the day of today, and a range of days. */

import { toIsoDate } from "../components/isoDate";
import { readDate } from "../components/readDate";
import type { ReportPeriod } from "../ipc/bindings";

export const periodIds = ["month", "last-month", "quarter", "last-quarter", "year", "last-year", "twelve"] as const;
export type PeriodId = (typeof periodIds)[number];

/** A range of days. */
export const RANGE = "days";
export const choiceIds = [...periodIds, RANGE] as const;
export type ChoiceId = (typeof choiceIds)[number];

/** The most months of a report at the service, counted with the first and the last. */
export const MAX_MONTHS = 120;

export interface Period {
  /** The first day. */
  from: string;
  /** The last day. */
  to: string;
}

export function periodOf(id: PeriodId, today: Date): Period {
  const year = today.getFullYear();
  const month = today.getMonth();
  const quarter = Math.floor(month / 3) * 3;
  const months = (first: number, count: number): Period => ({
    from: toIsoDate(new Date(year, first, 1)),
    to: toIsoDate(new Date(year, first + count, 0)),
  });
  switch (id) {
    case "month":
      return months(month, 1);
    case "last-month":
      return months(month - 1, 1);
    case "quarter":
      return months(quarter, 3);
    case "last-quarter":
      return months(quarter - 3, 3);
    case "year":
      return months(0, 12);
    case "last-year":
      return months(-12, 12);
    case "twelve":
      return months(month - 11, 12);
  }
}

/** What was chosen, with its days. What cannot be read, as of a later version, is the last twelve months. */
export function chosenPeriod(chosen: ReportPeriod | null | undefined, today: Date): { id: ChoiceId; period: Period } {
  if (chosen?.name === RANGE && !hasProblem(chosen)) return { id: RANGE, period: { from: chosen.from, to: chosen.to } };
  const id = periodIds.find((each) => each === chosen?.name) ?? "twelve";
  return { id, period: periodOf(id, today) };
}

export type RangeProblem = "missing" | "noDate" | "reversed" | "tooLong";

/** What is wrong with the days of a range, by its ends. */
export function rangeProblems({ from, to }: Period): Partial<Record<keyof Period, RangeProblem>> {
  const problems: Partial<Record<keyof Period, RangeProblem>> = {};
  for (const [end, text] of Object.entries({ from, to }) as [keyof Period, string][]) {
    if (text === "") problems[end] = "missing";
    else if (readDate(text) === null) problems[end] = "noDate";
  }
  if (problems.from || problems.to) return problems;
  if (to < from) return { to: "reversed" };
  return monthNumber(to) - monthNumber(from) < MAX_MONTHS ? {} : { to: "tooLong" };
}

export function hasProblem(range: Period): boolean {
  return Object.keys(rangeProblems(range)).length > 0;
}

/** The whole months that a period touches. */
export function wholeMonths({ from, to }: Period): Period {
  const [year = 0, month = 0] = to.split("-").map(Number);
  return { from: `${from.slice(0, 7)}-01`, to: toIsoDate(new Date(year, month, 0)) };
}

function monthNumber(date: string): number {
  const [year = 0, month = 0] = date.split("-").map(Number);
  return year * 12 + month;
}
