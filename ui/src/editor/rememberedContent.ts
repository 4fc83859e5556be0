/** What the form takes over from a remembered buyer or item. */

import type { InvoiceContent, ItemView, LineContent, LineDetails, PartyView, PriceView } from "../ipc/bindings";
import { detailsOf } from "./details/detailFields";
import { dueDateOf, type PaymentTerms, parseTerms } from "./dueDate";

/** The terms of a party: its text if that says a date, else its days. */
export function termsOf({ paymentTerms, dueDays }: PartyView): PaymentTerms | null {
  return parseTerms(paymentTerms) ?? (dueDays > 0 ? { endOfMonth: false, days: dueDays } : null);
}

/** What a party gives to a document besides the buyer and the currency. A credit note is not paid: it has no terms. */
function givenBy({ kind, issueDate }: InvoiceContent, party: PartyView) {
  const isPaid = kind !== "creditNote";
  const terms = isPaid ? termsOf(party) : null;
  return {
    dueDate: terms === null ? "" : dueDateOf(issueDate, terms),
    paymentTerms: isPaid ? party.paymentTerms : "",
    note: party.note,
  };
}

/**
 * The content for a remembered buyer: buyer, currency and due date are its own, note and terms of payment (BT-20) if nobody has typed
 * others. `before`: the remembered buyer whose place it takes. What that one has filled goes with it.
 */
export function withParty(content: InvoiceContent, party: PartyView, before: PartyView | null = null): InvoiceContent {
  const given = givenBy(content, party);
  const former = before && givenBy(content, before);
  const details = detailsOf(content);
  const typed = (name: keyof typeof given, text: string) => (text === former?.[name] ? "" : text);
  return {
    ...content,
    buyer: party.buyer,
    currency: party.currency || content.currency,
    dueDate: given.dueDate || typed("dueDate", content.dueDate),
    note: typed("note", content.note) || given.note,
    details: { ...details, paymentTerms: typed("paymentTerms", details.paymentTerms) || given.paymentTerms },
  };
}

/** The fields of a line for a remembered item, with the other details that the line has. A price in another currency is not taken over. */
export function lineOf(item: ItemView, last: PriceView | null, currency: string, details: LineDetails): Partial<LineContent> {
  const price = last ?? item.price;
  const sameCurrency = price.currency === "" || price.currency === currency;
  return {
    description: item.description,
    ...(item.unit === "" ? {} : { unit: item.unit }),
    unitPrice: sameCurrency ? price.unitPrice : "",
    ...(price.taxCategory === ""
      ? {}
      : { taxCategory: price.taxCategory, taxRate: price.taxRate, exemptionCode: price.exemptionCode }),
    // The code of another item would be wrong.
    ...(details.itemCode === item.code ? {} : { details: { ...details, itemCode: item.code } }),
  };
}
