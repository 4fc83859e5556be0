/** The place that the shell of a window begins at. It is mounted anew after a switch to another organization, and after signing in. */

import type { View } from "./navigation";

export interface Place {
  view: View;
  openInvoiceKey: string | null;
}

let next: View | null = null;
let last: { of: string; place: Place } | null = null;

/** Sets the view of the next switch; `null` for the usual one. */
export function openFirst(view: View | null): void {
  next = view;
}

/** Notes where somebody is. `of` names the person and the organization. */
export function notePlace(of: string, place: Place): void {
  last = { of, place };
}

/** Forgets where somebody was, after signing out. */
export function forgetPlace(): void {
  last = null;
}

/** The place to begin at, once: that of the last shell, if it was of the same person and organization. */
export function takeFirstPlace(of: string): Place {
  const place =
    next === null && last?.of === of ? last.place : { view: next ?? { name: "invoices" as const }, openInvoiceKey: null };
  next = null;
  return place;
}
