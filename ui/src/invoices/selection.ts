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
  /** `rows` without those of the last range: another end of it begins with them. */
  before: ReadonlyMap<string, InvoiceRow>;
}

const noRows: ReadonlyMap<string, InvoiceRow> = new Map();

export const emptySelection: Selection = { base: "rows", rows: noRows, anchor: null, end: null, before: noRows };

/** Every row of the filter. No key is loaded for it. */
export const selectionOfAll: Selection = { ...emptySelection, base: "all" };

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
  return { base: selection.base, rows, anchor: index, end: index, before: rows };
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

/** The selection with a range that begins at an index and has no rows of its own yet. */
export function rangeFrom(selection: Selection, index: number): Selection {
  return { ...selection, anchor: index, end: index, before: selection.rows };
}

/**
 * The selection whose range ends at an index, without the rows of that range: they are added as they are loaded. If all of the filter is
 * selected, the range takes the place of that: nothing could be added.
 */
export function rangeTo(selection: Selection, index: number): Selection {
  const begun = selection.anchor === null ? rangeFrom(selection, index) : selection;
  const base = begun.before.size === 0 ? "rows" : begun.base;
  return { ...begun, base, rows: begun.before, end: index };
}

/** The first and the last index of a range that has been begun. */
export function rangeEnds({ anchor, end }: Selection): { from: number; to: number } {
  const begin = anchor ?? 0;
  const other = end ?? begin;
  return { from: Math.min(begin, other), to: Math.max(begin, other) };
}

/**
 * The selection with its rows as they have been read since. If all rows of the filter are loaded, those that are not among them have left it:
 * they are no longer selected, nor do they count as excluded.
 */
export function withLoadedRows(selection: Selection, loaded: readonly InvoiceRow[], total: number): Selection {
  if (selection.rows.size === 0 && selection.before.size === 0) return selection;
  const current = new Map(loaded.map((row) => [row.key, row]));
  // Pages are read one after the other: a row can be on two of them, while another one is on none.
  const isWhole = current.size >= total;
  const rows = readAgain(selection.rows, current, isWhole);
  const before = readAgain(selection.before, current, isWhole);
  return rows === selection.rows && before === selection.before ? selection : { ...selection, rows, before };
}

function readAgain(
  kept: ReadonlyMap<string, InvoiceRow>,
  current: ReadonlyMap<string, InvoiceRow>,
  isWhole: boolean,
): ReadonlyMap<string, InvoiceRow> {
  const rows = new Map<string, InvoiceRow>();
  let hasChanged = false;
  for (const [key, row] of kept) {
    const found = current.get(key) ?? (isWhole ? undefined : row);
    if (found) rows.set(key, found);
    hasChanged ||= found !== row;
  }
  return hasChanged ? rows : kept;
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
