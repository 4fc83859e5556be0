/** Date ranges for filters, in the local calendar. */

import { toIsoDate } from "../components/isoDate";

export interface DatePreset {
  id: "month" | "last-month" | "year";
  from: string;
  to: string;
}

export function datePresets(today: Date): DatePreset[] {
  const year = today.getFullYear();
  const month = today.getMonth();
  return [
    { id: "month", from: toIsoDate(new Date(year, month, 1)), to: toIsoDate(new Date(year, month + 1, 0)) },
    { id: "last-month", from: toIsoDate(new Date(year, month - 1, 1)), to: toIsoDate(new Date(year, month, 0)) },
    { id: "year", from: toIsoDate(new Date(year, 0, 1)), to: toIsoDate(new Date(year, 11, 31)) },
  ];
}
