/** Periods of reports, in the local calendar. */

import { toIsoDate } from "../components/isoDate";

export const periodIds = ["month", "last-month", "quarter", "last-quarter", "year", "last-year", "twelve"] as const;
export type PeriodId = (typeof periodIds)[number];

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
