/** Selected rows, with the values that their sums need. */

import { groupBy } from "../components/groupBy";
import type { CurrencySum, InvoiceRow } from "../ipc/bindings";
import { sumDecimals } from "./decimal";
import { signedAmount } from "./rowText";

export interface Selection {
  rows: ReadonlyMap<string, InvoiceRow>;
  /** Where a range selection with Shift begins. */
  anchor: number | null;
}

export const emptySelection: Selection = { rows: new Map(), anchor: null };

/** Adds a row to the selection, or removes it. */
export function toggleRow(selection: Selection, row: InvoiceRow, index: number): Selection {
  const rows = new Map(selection.rows);
  if (!rows.delete(row.key)) rows.set(row.key, row);
  return { rows, anchor: index };
}

/** Selects the rows between the anchor and an index. Rows that are not loaded are skipped. */
export function extendTo(selection: Selection, index: number, row: (index: number) => InvoiceRow | undefined): Selection {
  const anchor = selection.anchor ?? index;
  const rows = new Map(selection.rows);
  for (let at = Math.min(anchor, index); at <= Math.max(anchor, index); at++) {
    const found = row(at);
    if (found) rows.set(found.key, found);
  }
  return { rows, anchor };
}

/** Sums per currency, ordered by currency code. */
export function sums(selection: Selection): CurrencySum[] {
  const byCurrency = groupBy(selection.rows.values(), (row) => row.currency);
  return [...byCurrency]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([currency, rows]) => ({
      currency,
      count: rows.length,
      net: sumDecimals(rows.map((row) => signedAmount(row, row.net))),
      tax: sumDecimals(rows.map((row) => signedAmount(row, row.tax))),
      gross: sumDecimals(rows.map((row) => signedAmount(row, row.gross))),
    }));
}
