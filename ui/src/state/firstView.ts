/** The place that the shell of a window begins at. It is mounted anew after a switch to another organization, and after signing in. */

import type { RefObject } from "react";
import type { InvoiceFilter } from "../queries/invoicePages";
import type { View } from "./navigation";

/** Where the list of documents is. */
export interface ListPosition {
  /** The filter and order of the list. Another list begins at its top. */
  of: string;
  /** The row that Tab reaches. */
  active: number;
  /** How many rows are above the view, with a fraction: their height is a preference. */
  rowsAbove: number;
}

export interface Place {
  view: View;
  openInvoiceKey: string | null;
  /** `null`: none was chosen. */
  listFilter: InvoiceFilter | null;
  /** The text of the search field. */
  search: string;
  /** Where the list is, or was when it was left. It changes with each scroll, without a render. */
  listPosition: RefObject<ListPosition | null>;
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
  const view = next;
  next = null;
  if (view === null && last?.of === of) return last.place;
  return {
    view: view ?? { name: "invoices" },
    openInvoiceKey: null,
    listFilter: null,
    search: "",
    listPosition: { current: null },
  };
}
