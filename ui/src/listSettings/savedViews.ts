/** Views of the list: the built-in ones, and those that the user has saved. */

import { datePresets } from "../invoices/datePresets";
import type { ListColumn, SavedView } from "../ipc/bindings";
import { type InvoiceFilter, noFilter } from "../queries/invoicePages";

const views = ["all", "drafts", "month", "overdue", "rejected"] as const;
/** Those of an organization with a tax authority. */
const authorityViews = [...views, "authority-waiting", "authority-remarks"] as const;
export type BuiltInView = (typeof authorityViews)[number];

export interface ListView {
  id: string;
  /** `null` for a built-in view, which has a translated name. */
  name: string | null;
  filter: InvoiceFilter;
  columns: readonly ListColumn[];
}

/** Built-in views first. */
export function listViews(saved: readonly SavedView[], today: Date, hasAuthority: boolean): ListView[] {
  const month = datePresets(today).find(({ id }) => id === "month");
  const filters: Record<BuiltInView, InvoiceFilter> = {
    all: noFilter,
    drafts: { ...noFilter, status: ["draft"] },
    month: { ...noFilter, issuedFrom: month?.from ?? "", issuedTo: month?.to ?? "" },
    overdue: { ...noFilter, payment: ["overdue"] },
    // By the status: a document that was rejected before submissions were stored has no state of the authority (decision 0148).
    rejected: { ...noFilter, status: ["rejected"] },
    "authority-waiting": { ...noFilter, submission: ["pending", "unanswered"] },
    "authority-remarks": { ...noFilter, hasWarnings: true },
  };
  return [
    ...(hasAuthority ? authorityViews : views).map((id) => ({ id, name: null, filter: filters[id], columns: [] })),
    ...saved.map(({ id, name, filter, columns }) => ({ id, name, filter: parseFilter(filter), columns })),
  ];
}

/** The filter of a saved view. Fields that it does not have, or that have another type by now, do not filter. */
export function parseFilter(text: string): InvoiceFilter {
  let stored: Record<string, unknown>;
  try {
    stored = JSON.parse(text) as Record<string, unknown>;
  } catch {
    return noFilter;
  }
  const known = Object.entries(noFilter).map(([field, none]) => {
    const value = stored[field];
    const fits =
      field === "sort" ? value !== undefined : typeof value === typeof none && Array.isArray(value) === Array.isArray(none);
    return [field, fits ? value : none];
  });
  return Object.fromEntries(known) as InvoiceFilter;
}

export function filterText(filter: InvoiceFilter): string {
  return JSON.stringify(filter);
}

export function sameFilter(left: InvoiceFilter, right: InvoiceFilter): boolean {
  return Object.keys(noFilter).every((field) => {
    const key = field as keyof InvoiceFilter;
    return JSON.stringify(left[key]) === JSON.stringify(right[key]);
  });
}
