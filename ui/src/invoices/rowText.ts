/** Amounts of a row with the sign of its document kind. */

import type { InvoiceRow } from "../ipc/bindings";
import { negate } from "./decimal";

/** Amounts of a credit note are negative, as in the sums. */
export function signedAmount(row: Pick<InvoiceRow, "kind">, amount: string): string {
  return row.kind === "creditNote" && !amount.startsWith("-") ? negate(amount) : amount;
}
