/** Views of the list: the built-in ones, and those that the user has saved. */

import { type DatePreset, datePresets } from "../invoices/datePresets";
import { kinds, payments, statuses, submissions } from "../invoices/filterValues";
import type { ListColumn, SavedView, SortField } from "../ipc/bindings";
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
  /** The text of the search field; empty if any is kept. */
  search: string;
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
    ...(hasAuthority ? authorityViews : views).map((id) => ({ id, name: null, filter: filters[id], search: "", columns: [] })),
    ...saved.map(({ id, name, filter, columns }) => ({
      id,
      name,
      filter: parseFilter(filter, today),
      search: parseSearch(filter),
      columns,
    })),
  ];
}

/** The ends of the ranges that can follow the calendar, and where a view keeps which period it is. */
const ranges = [
  { from: "issuedFrom", to: "issuedTo", preset: "issuedPreset" },
  { from: "dueFrom", to: "dueTo", preset: "duePreset" },
] as const;

/** The values that this version knows, for the fields that hold some of a fixed list. Another version can have saved others. */
const known: Partial<Record<keyof InvoiceFilter, readonly string[]>> = {
  status: statuses,
  kind: kinds,
  payment: payments,
  submission: submissions,
};

const sorts: readonly SortField[] = ["issueDate", "dueDate", "number", "buyer", "gross", "status", "updated"];

/**
 * The filter of a saved view. Fields that it does not have, or that have another type by now, do not filter, and neither do values that are
 * not known. A range that was a period of the calendar is that of `today`.
 */
export function parseFilter(text: string, today: Date): InvoiceFilter {
  const stored = parse(text);
  const fields = (Object.keys(noFilter) as (keyof InvoiceFilter)[]).map((field) => [field, fieldOf(field, stored[field])]);
  const filter = Object.fromEntries(fields) as InvoiceFilter;
  for (const range of ranges) {
    const preset = datePresets(today).find(({ id }) => id === stored[range.preset]);
    if (preset) Object.assign(filter, { [range.from]: preset.from, [range.to]: preset.to });
  }
  return filter;
}

function fieldOf(field: keyof InvoiceFilter, value: unknown): unknown {
  const none = noFilter[field];
  if (field === "sort") return isSort(value) ? value : none;
  if (!Array.isArray(none)) return typeof value === typeof none ? value : none;
  const values = known[field];
  const isKnown = (each: unknown) => typeof each === "string" && (values === undefined || values.includes(each));
  return Array.isArray(value) ? value.filter(isKnown) : none;
}

function isSort(value: unknown): value is InvoiceFilter["sort"] {
  if (typeof value !== "object" || value === null) return false;
  const { field, descending } = value as Record<string, unknown>;
  return sorts.some((each) => each === field) && typeof descending === "boolean";
}

/** The text of the search field that a view was saved with; empty for one of an earlier version. */
function parseSearch(text: string): string {
  const { search } = parse(text);
  return typeof search === "string" ? search : "";
}

function parse(text: string): Record<string, unknown> {
  try {
    return (JSON.parse(text) as Record<string, unknown> | null) ?? {};
  } catch {
    return {};
  }
}

/** What is saved of a filter and a search. A range that is a period of the calendar today keeps being that period. */
export function filterText(filter: InvoiceFilter, search: string, today: Date): string {
  const presets = ranges.flatMap((range) => {
    const id = presetOf(filter[range.from], filter[range.to], today);
    return id ? [[range.preset, id] as const] : [];
  });
  return JSON.stringify({ ...filter, ...(search !== "" && { search }), ...Object.fromEntries(presets) });
}

/** The periods of a filter that follow the calendar once it is saved. */
export function followedPeriods(filter: InvoiceFilter, today: Date): DatePreset["id"][] {
  const found = ranges.flatMap(({ from, to }) => presetOf(filter[from], filter[to], today) ?? []);
  return [...new Set(found)];
}

function presetOf(from: string, to: string, today: Date): DatePreset["id"] | undefined {
  return datePresets(today).find((preset) => preset.from === from && preset.to === to)?.id;
}

/** What the list shows. */
export interface ShownList {
  filter: InvoiceFilter;
  search: string;
  columns: readonly ListColumn[];
}

/**
 * The view that is shown: one with this search before one without any, which is searched in, and of several the one that was opened
 * last.
 */
export function shownView(all: readonly ListView[], { filter, search }: ShownList, last: string): ListView | undefined {
  const fitting = all.filter((view) => sameFilter(view.filter, filter));
  const exact = fitting.filter((view) => view.search === search);
  const candidates = exact.length > 0 ? exact : fitting.filter((view) => view.search === "");
  return candidates.find(({ id }) => id === last) ?? candidates[0];
}

/** Whether saving a view would change nothing. */
export function isAsSaved(view: ListView, { filter, search, columns }: ShownList): boolean {
  return sameFilter(view.filter, filter) && view.search === search && sameColumns(view.columns, columns);
}

export function sameColumns(left: readonly ListColumn[], right: readonly ListColumn[]): boolean {
  return columnsText(left) === columnsText(right);
}

function columnsText(columns: readonly ListColumn[]): string {
  return JSON.stringify(columns.map(({ name, width }) => [name, width]));
}

/** Whether both filter and sort the same. The values of a field may have been chosen in another order. */
export function sameFilter(left: InvoiceFilter, right: InvoiceFilter): boolean {
  return Object.keys(noFilter).every((field) => {
    const key = field as keyof InvoiceFilter;
    return valueText(left[key]) === valueText(right[key]);
  });
}

function valueText(value: InvoiceFilter[keyof InvoiceFilter]): string {
  return JSON.stringify(Array.isArray(value) ? value.toSorted() : value);
}
