/** The lines of an invoice that a credit note gives back, each with a quantity of at most what no other credit note has given back. */

import { newLine } from "../editor/invoiceLines";
import { withLatinDigits } from "../i18n/digits";
import { isGreater, negate } from "../invoices/decimal";
import { creditNoteContent } from "../invoices/derivedContent";
import type { InvoiceContent, InvoiceView, LineContent } from "../ipc/bindings";

export interface CreditLine {
  /** With the quantity that is left to credit. */
  line: LineContent;
  chosen: boolean;
  /** As it was typed. */
  quantity: string;
}

/** All that is left, which is the most frequent credit note. */
export function creditLines(lines: readonly LineContent[]): CreditLine[] {
  return lines.map((line) => ({ line, chosen: !isCredited(line), quantity: line.quantity }));
}

/** Whether nothing of a line is left. */
export function isCredited({ quantity }: LineContent): boolean {
  return isZero(quantity);
}

export function isZero(value: string): boolean {
  return /^-?[0.]*$/.test(value);
}

/** Whether more is typed than is left. A text that is not a plain number is left to the rules, which say what is wrong with it. */
export function isAboveLeft({ line, quantity }: CreditLine): boolean {
  const typed = withLatinDigits(quantity)
    .replace(/[\s\u066c\u200e\u200f\u061c]/g, "")
    .replace("\u066b", ".")
    .replace("\u2212", "-")
    // A comma before three digits has two readings, and the rules say so.
    .replace(/^(-?\d+)[,\u060c](\d{1,2}|\d{4,})$/, "$1.$2");
  if (!/^-?\d+(\.\d+)?$/.test(typed)) return false;
  // The quantity of a line can be negative.
  return line.quantity.startsWith("-") ? isGreater(negate(typed), negate(line.quantity)) : isGreater(typed, line.quantity);
}

/** The credit note over the chosen lines. */
export function creditNoteOf(view: InvoiceView, lines: readonly CreditLine[]): InvoiceContent {
  const chosen = lines.filter((each) => each.chosen).map(creditedLine);
  return { ...creditNoteContent(view), lines: chosen };
}

/** A credit note over something else than the lines of the invoice. Allowances and charges are of those lines, and not taken over. */
export function creditNoteOfOtherLines(view: InvoiceView): InvoiceContent {
  const content = creditNoteContent(view);
  const { details } = content;
  return {
    ...content,
    lines: [newLine(view.content.lines[0], null)],
    ...(details && { details: { ...details, allowancesCharges: [] } }),
  };
}

function creditedLine({ line, quantity }: CreditLine): LineContent {
  return { ...line, quantity };
}

/** Whether the document or a chosen line has allowances or charges, which do not shrink with a quantity. */
export function hasFixedAmounts(content: InvoiceContent): boolean {
  return [content, ...content.lines].some(({ details }) => details?.allowancesCharges.some(({ percent }) => percent === ""));
}
