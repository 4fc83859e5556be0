/** Selected rows, with the values that their sums need. "All of the filter" is kept as what is not selected of it. */

import { groupBy } from "../components/groupBy";
import type { CurrencySum, InvoiceRow } from "../ipc/bindings";
import { negate, sumDecimals } from "./decimal";
import { signedAmount } from "./rowText";

export interface Selection {
  /** `all`: every row of the filter is selected but those of `rows`, also rows that are not loaded. `rows`: only those are. */
  base: "rows" | "all";
  rows: ReadonlyMap<string, InvoiceRow>;
  /** Where a range selection with Shift begins. */
  anchor: number | null;
  /** Where the last one ended. */
  end: number | null;
}

export const emptySelection: Selection = { base: "rows", rows: new Map(), anchor: null, end: null };

/** Every row of the filter. No key is loaded for it. */
export const selectionOfAll: Selection = { base: "all", rows: new Map(), anchor: null, end: null };

export function isSelected(selection: Selection, key: string): boolean {
  return selection.rows.has(key) === (selection.base === "rows");
}

/** How many rows are selected, of a filter with so many. */
export function selectedCount(selection: Selection, total: number): number {
  return selection.base === "rows" ? selection.rows.size : Math.max(0, total - selection.rows.size);
}

/** Adds a row to the selection, or removes it. */
export function toggleRow(selection: Selection, row: InvoiceRow, index: number): Selection {
  const rows = new Map(selection.rows);
  if (!rows.delete(row.key)) rows.set(row.key, row);
  return { base: selection.base, rows, anchor: index, end: index };
}

/** Adds rows to the selection. */
export function addRows(selection: Selection, added: Iterable<InvoiceRow>): Selection {
  const rows = new Map(selection.rows);
  for (const row of added) {
    if (selection.base === "rows") rows.set(row.key, row);
    else rows.delete(row.key);
  }
  return { ...selection, rows };
}

/** Removes rows from the selection. */
export function removeRows(selection: Selection, removed: Iterable<InvoiceRow>): Selection {
  const rows = new Map(selection.rows);
  for (const row of removed) {
    if (selection.base === "rows") rows.delete(row.key);
    else rows.set(row.key, row);
  }
  return { ...selection, rows };
}

/** The indexes that the last range has, and a range from its anchor to an index has not: those of a range that is made shorter. */
export function indexesOutside(selection: Selection, index: number): number[] {
  const { anchor, end } = selection;
  if (anchor === null || end === null) return [];
  const before = rangeTo(selection, end);
  const now = rangeTo(selection, index);
  const outside: number[] = [];
  for (let at = before.from; at <= Math.min(before.to, now.from - 1); at++) outside.push(at);
  for (let at = Math.max(before.from, now.to + 1); at <= before.to; at++) outside.push(at);
  return outside;
}

/** The ends of a range from the anchor of the selection to an index. */
export function rangeTo(selection: Selection, index: number): { from: number; to: number } {
  const anchor = selection.anchor ?? index;
  return { from: Math.min(anchor, index), to: Math.max(anchor, index) };
}

/** Sums per currency, ordered by currency code. `all` are the service's sums of the whole filter. */
export function sums(selection: Selection, all: readonly CurrencySum[]): CurrencySum[] {
  const listed = sumsOf(selection.rows.values());
  return selection.base === "rows" ? listed : without(all, listed);
}

function sumsOf(rows: Iterable<InvoiceRow>): CurrencySum[] {
  const byCurrency = groupBy(rows, (row) => row.currency);
  return [...byCurrency]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([currency, of]) => ({
      currency,
      count: of.length,
      net: sumDecimals(of.map((row) => signedAmount(row, row.net))),
      tax: sumDecimals(of.map((row) => signedAmount(row, row.tax))),
      gross: sumDecimals(of.map((row) => signedAmount(row, row.gross))),
    }));
}

function minus(value: string, other: string): string {
  return sumDecimals([value, negate(other)]);
}

/** The sums of the filter without those of the rows that are not selected. A currency without a selected row is left out. */
function without(all: readonly CurrencySum[], excluded: readonly CurrencySum[]): CurrencySum[] {
  return all
    .map((sum) => {
      const less = excluded.find((other) => other.currency === sum.currency);
      if (!less) return sum;
      return {
        currency: sum.currency,
        count: sum.count - less.count,
        net: minus(sum.net, less.net),
        tax: minus(sum.tax, less.tax),
        gross: minus(sum.gross, less.gross),
      };
    })
    .filter((sum) => sum.count > 0);
}
