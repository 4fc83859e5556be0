/** Today in the time zone of an organization. */

import type { OrganizationView } from "../ipc/bindings";

/** Of each time zone that was asked for. Making a format takes longer than a render should; `null`: the engine does not know the zone. */
const formats = new Map<string, Intl.DateTimeFormat | null>();

/** The first moment of today as the computer counts, with the day of the organization. Until the service has told its time zone, the day is the computer's. */
export function todayOf({ timeZone }: Pick<OrganizationView, "timeZone">, now = new Date()): Date {
  const format = timeZone === "" ? null : dayFormat(timeZone);
  // The computer may move to another zone: its day is read anew each time.
  if (!format) return new Date(now.getFullYear(), now.getMonth(), now.getDate());
  const parts = new Map(format.formatToParts(now).map(({ type, value }) => [type, Number(value)]));
  return new Date(parts.get("year") ?? 0, (parts.get("month") ?? 1) - 1, parts.get("day") ?? 1);
}

function dayFormat(timeZone: string): Intl.DateTimeFormat | null {
  const known = formats.get(timeZone);
  if (known !== undefined) return known;
  const format = newDayFormat(timeZone);
  formats.set(timeZone, format);
  return format;
}

function newDayFormat(timeZone: string): Intl.DateTimeFormat | null {
  const options = { calendar: "gregory", numberingSystem: "latn", year: "numeric", month: "numeric", day: "numeric" } as const;
  try {
    return new Intl.DateTimeFormat("en", { ...options, timeZone });
  } catch {
    // The engine may be older than the service's list of time zones.
    return null;
  }
}
