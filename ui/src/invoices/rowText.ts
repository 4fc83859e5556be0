/** Amounts of a row with the sign of its document kind. */

import { minorUnits } from "../i18n/format";
import type { InvoiceRow } from "../ipc/bindings";
import { negate } from "./decimal";

/** Amounts of a credit note are negative, as in the sums. */
export function signedAmount(row: Pick<InvoiceRow, "kind">, amount: string): string {
  return row.kind === "creditNote" && !amount.startsWith("-") ? negate(amount) : amount;
}

/** Spaces as wide as the point and digits that an amount has less than `digits`, so that points stand below each other. */
export function decimalPadding(currency: string, digits: number): string {
  const own = minorUnits(currency);
  if (own >= digits) return "";
  return (own === 0 ? "\u2008" : "") + "\u2007".repeat(digits - own);
}
