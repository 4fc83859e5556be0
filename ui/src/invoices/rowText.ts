/** What a row says: names in the reader's language, amounts with the sign that their kind gives them. */

import type { InvoiceRow, Language, LocalizedText } from "../ipc/bindings";
import { negate } from "./decimal";

/** The text in the language, or else in the other. */
export function localizedText(text: LocalizedText, language: Language): string {
  return text[language] === "" ? text[language === "ar" ? "en" : "ar"] : text[language];
}

/** A credit note takes back: its amounts count negative, as in the sums. */
export function signedAmount(row: Pick<InvoiceRow, "kind">, amount: string): string {
  return row.kind === "creditNote" && !amount.startsWith("-") ? negate(amount) : amount;
}
