/** Due dates by terms: `+30`, `eom`, `eom+15`, and the same in Arabic. */

import { withLatinDigits } from "../i18n/digits";
import type { DueTerms } from "../ipc/bindings";

/** Words for the end of the month, without spaces and diacritics. */
const END_OF_MONTH = ["eom", "endofmonth", "نهايةالشهر", "نهايهالشهر", "آخرالشهر", "اخرالشهر", "نهاية", "نهايه"];
const DAY_WORDS = /(days?|d|يوم|يوما|أيام|ايام|ي)$/;
/** As many as a remembered party may hold. */
const MAX_DAYS = 3650;

/** The terms of a text, or `null` if it is something else. */
export function parseTerms(text: string): DueTerms | null {
  const compact = withLatinDigits(text)
    .replace(/[\u064b-\u065f\u0640\u200e\u200f\u061c\u2066-\u2069\s]/g, "")
    .replace("＋", "+")
    .toLowerCase();
  const word = END_OF_MONTH.find((each) => compact.startsWith(each));
  const rest = (word === undefined ? compact : compact.slice(word.length)).replace(DAY_WORDS, "");
  if (word !== undefined && rest === "") return { endOfMonth: true, days: 0 };
  // An Arabic text may have the sign behind its digits.
  const digits = /^\+?(\d{1,4})\+?$/.exec(rest)?.[1];
  if (digits === undefined || Number(digits) > MAX_DAYS) return null;
  return { endOfMonth: word !== undefined, days: Number(digits) };
}

/** The date that terms give, or an empty text if the issue date is none. */
export function dueDateOf(issueDate: string, { endOfMonth, days }: DueTerms): string {
  const issued = new Date(`${issueDate}T00:00:00Z`);
  if (Number.isNaN(issued.getTime())) return "";
  const start = endOfMonth ? new Date(Date.UTC(issued.getUTCFullYear(), issued.getUTCMonth() + 1, 0)) : issued;
  start.setUTCDate(start.getUTCDate() + days);
  return start.toISOString().slice(0, 10);
}

/** Whether two terms are the same. */
export function isSameTerms(one: DueTerms | null, other: DueTerms | null): boolean {
  return one?.endOfMonth === other?.endOfMonth && one?.days === other?.days;
}
