/** What the form takes over from a remembered buyer or item. */

import type { InvoiceContent, ItemView, LineContent, PartyView, PriceView } from "../ipc/bindings";
import { dueDateOf, type PaymentTerms, parseTerms } from "./dueDate";

/** The terms of a party: its text if that says a date, else its days. */
export function termsOf({ paymentTerms, dueDays }: PartyView): PaymentTerms | null {
  return parseTerms(paymentTerms) ?? (dueDays > 0 ? { endOfMonth: false, days: dueDays } : null);
}

/** The content for a remembered buyer: buyer, currency and due date are its own. */
export function withParty(content: InvoiceContent, party: PartyView): InvoiceContent {
  const terms = termsOf(party);
  const due = terms === null || content.kind === "creditNote" ? "" : dueDateOf(content.issueDate, terms);
  return {
    ...content,
    buyer: party.buyer,
    currency: party.currency || content.currency,
    dueDate: due || content.dueDate,
    note: content.note || party.note,
  };
}

/** The fields of a line for a remembered item. A price in another currency is not taken over. */
export function lineOf(item: ItemView, last: PriceView | null, currency: string): Partial<LineContent> {
  const price = last ?? item.price;
  const sameCurrency = price.currency === "" || price.currency === currency;
  return {
    description: item.description,
    ...(item.unit === "" ? {} : { unit: item.unit }),
    unitPrice: sameCurrency ? price.unitPrice : "",
    ...(price.taxCategory === ""
      ? {}
      : { taxCategory: price.taxCategory, taxRate: price.taxRate, exemptionCode: price.exemptionCode }),
  };
}
