/** What is asked of the audit: the filter as it is chosen, and the query of the core. */

import { toIsoDate } from "../components/isoDate";
import { readDate } from "../components/readDate";
import type { AuditPerson, AuditQuery, AuditScope } from "../ipc/bindings";
import { type AuditGroup, type AuditKind, auditGroups } from "./auditKinds";

export const auditPeriods = ["day", "week", "month", "all", "days"] as const;
export type AuditPeriod = (typeof auditPeriods)[number];

export interface AuditFilter {
  period: AuditPeriod;
  /** The first and the last day of the period `days`, or empty. A text that is no date yet does not limit it. */
  firstDay: string;
  lastDay: string;
  group: AuditGroup | "all";
  /** Of the group, or of all. */
  kind: AuditKind | "all";
  person: AuditPerson | null;
  /** The id of an organization; empty: all. */
  organization: string;
  correlationId: string;
}

export const firstAuditFilter: AuditFilter = {
  period: "week",
  firstDay: "",
  lastDay: "",
  group: "all",
  kind: "all",
  person: null,
  organization: "",
  correlationId: "",
};

/** The shortest correlation id: a part of one finds nothing. */
const MIN_CORRELATION_ID = 8;
/** A year before it is still being typed: 2026 begins as the years 2, 20 and 202. */
const FIRST_YEAR = 1000;

/**
 * The filter with the days of `before` in place of those that are typed in part. The service records every read: none is made for the days
 * that a person passes while typing.
 */
export function withWholeDays(filter: AuditFilter, before: AuditFilter): AuditFilter {
  const whole = (day: "firstDay" | "lastDay") => (isUnfinished(filter[day]) ? before[day] : filter[day]);
  return { ...filter, firstDay: whole("firstDay"), lastDay: whole("lastDay") };
}

/** Whether a day of the filter is typed in part. */
export function hasUnfinishedDay({ period, firstDay, lastDay }: AuditFilter): boolean {
  return period === "days" && [firstDay, lastDay].some(isUnfinished);
}

function isUnfinished(day: string): boolean {
  return day !== "" && dayOf(day) === "";
}

/** `today` makes the days of a period those of the local calendar. */
export function auditQuery(filter: AuditFilter, scope: AuditScope, today: Date): AuditQuery {
  const [first, last] = daysOf(filter, today);
  const correlationId = filter.correlationId.trim();
  return {
    scope,
    organization: scope === "platform" ? filter.organization : "",
    from: startOf(first, 0),
    to: startOf(last, 1),
    kinds: kindsOf(filter),
    person: filter.person?.id ?? "",
    application: "",
    correlationId: correlationId.length < MIN_CORRELATION_ID ? "" : correlationId,
  };
}

function kindsOf({ group, kind }: AuditFilter): string[] {
  if (kind !== "all") return [kind];
  return group === "all" ? [] : [...auditGroups[group]];
}

/** The first and the last day, empty without a limit. */
function daysOf(filter: AuditFilter, today: Date): [string, string] {
  const daysBefore = (days: number) => toIsoDate(new Date(today.getFullYear(), today.getMonth(), today.getDate() - days));
  switch (filter.period) {
    case "day":
      return [daysBefore(0), ""];
    case "week":
      return [daysBefore(6), ""];
    case "month":
      return [daysBefore(29), ""];
    case "all":
      return ["", ""];
    case "days": {
      const first = dayOf(filter.firstDay);
      const last = dayOf(filter.lastDay);
      // Two days have what is between them in either order. The service would refuse an end before the start.
      return first !== "" && last !== "" && first > last ? [last, first] : [first, last];
    }
  }
}

/** The day that is typed; empty while its text is no date, or its year is not whole. */
function dayOf(text: string): string {
  const date = readDate(text);
  return date === null || date.year < FIRST_YEAR ? "" : date.toString();
}

/** The local midnight that a day, or the `days` after it, begins with. Empty for no day. */
function startOf(day: string, days: number): string {
  const [year, month, date] = day.split("-").map(Number);
  if (year === undefined || month === undefined || date === undefined) return "";
  return new Date(year, month - 1, date + days).toISOString();
}
