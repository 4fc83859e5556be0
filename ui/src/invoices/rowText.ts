/** What a row says: names in the reader's language, amounts with the sign that their kind gives them. */

import type { InvoiceRow } from "../ipc/bindings";
import { negate } from "./decimal";

/** A credit note takes back: its amounts count negative, as in the sums. */
export function signedAmount(row: Pick<InvoiceRow, "kind">, amount: string): string {
  return row.kind === "creditNote" && !amount.startsWith("-") ? negate(amount) : amount;
}
