/** Today in the time zone of an organization. */

import type { OrganizationView } from "../ipc/bindings";

/** The first moment of today as the computer counts, with the day of the organization. Until the service has told its time zone, the day is the computer's. */
export function todayOf({ timeZone }: Pick<OrganizationView, "timeZone">, now = new Date()): Date {
  const part = (type: Intl.DateTimeFormatPartTypes, parts: Intl.DateTimeFormatPart[]) =>
    Number(parts.find((each) => each.type === type)?.value);
  const parts = dayFormat(timeZone).formatToParts(now);
  return new Date(part("year", parts), part("month", parts) - 1, part("day", parts));
}

function dayFormat(timeZone: string): Intl.DateTimeFormat {
  const options = { calendar: "gregory", numberingSystem: "latn", year: "numeric", month: "numeric", day: "numeric" } as const;
  try {
    return new Intl.DateTimeFormat("en", { ...options, ...(timeZone && { timeZone }) });
  } catch {
    // The engine may be older than the service's list of time zones.
    return new Intl.DateTimeFormat("en", options);
  }
}
