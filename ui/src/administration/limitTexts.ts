/** Limits as they are typed. */

import { withLatinDigits } from "../i18n/digits";
import type { PlanLimits } from "../ipc/bindings";

export const limitNames = ["documents", "requests", "users"] as const;

export type LimitTexts = Record<(typeof limitNames)[number], string>;

export function limitTexts({ documents, requests, users }: PlanLimits): LimitTexts {
  return { documents: typed(documents), requests: typed(requests), users: typed(users) };
}

function typed(limit: number | null): string {
  return limit === null ? "" : String(limit);
}

/** The largest limit that the service stores. */
const MAX = 2_147_483_647;

/** The limit of a text; `null` without one, `undefined` if it is none. */
export function readLimit(text: string): number | null | undefined {
  const digits = withLatinDigits(text.trim());
  if (digits === "") return null;
  const limit = /^\d{1,10}$/.test(digits) ? Number(digits) : Number.NaN;
  return limit <= MAX ? limit : undefined;
}

/** The limits of three texts; `null` if one of them is no limit. */
export function readLimits(texts: LimitTexts): PlanLimits | null {
  const [documents, requests, users] = limitNames.map((name) => readLimit(texts[name]));
  if (documents === undefined || requests === undefined || users === undefined) return null;
  return { documents, requests, users };
}
