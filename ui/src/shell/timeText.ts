/** A time as short as it is unmistakable. */

import type { Formatters } from "../i18n/format";

/** As `10:42` for a time of today on this computer, and with its date for one of another day: a window can stay open over night. */
export function timeText(time: string, format: Pick<Formatters, "time" | "dateTime">, now = new Date()): string {
  const moment = new Date(time);
  return moment.toDateString() === now.toDateString() ? format.time(time) : format.dateTime(time);
}
