/** Today in the time zone of an organization. */

import type { OrganizationView } from "../ipc/bindings";

/** The first moment of today as the computer counts, with the day of the organization. Until the service has told its time zone, the day is the computer's. */
export function todayOf({ timeZone }: Pick<OrganizationView, "timeZone">, now = new Date()): Date {
  const parts = new Map(
    dayFormat(timeZone)
      .formatToParts(now)
      .map(({ type, value }) => [type, Number(value)]),
  );
  return new Date(parts.get("year") ?? 0, (parts.get("month") ?? 1) - 1, parts.get("day") ?? 1);
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
