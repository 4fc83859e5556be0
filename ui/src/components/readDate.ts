/** Reading of ISO 8601 dates, as `2026-11-14`. */

import { type CalendarDate, parseDate } from "@internationalized/date";

/** The date, or `null` if the text is empty or not a date. */
export function readDate(text: string): CalendarDate | null {
  try {
    return text === "" ? null : parseDate(text);
  } catch {
    return null;
  }
}
