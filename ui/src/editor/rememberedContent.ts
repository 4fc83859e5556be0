/** What the form takes over from a remembered buyer or item. */

import type {
  AllowanceChargeContent,
  DueTerms,
  InvoiceContent,
  ItemView,
  LineContent,
  LineDetails,
  PartyView,
  PriceView,
} from "../ipc/bindings";
import { detailsOf, lineDetailsOf } from "./details/detailFields";
import { dueDateOf, parseTerms } from "./dueDate";

/** What the details of a line say of its price, if it is that of one unit without a discount. */
const priceOfOne = { priceBase: "", priceBaseUnit: "", grossPrice: "", priceDiscount: "" };

/** The terms of a party: its text if that says a date, else those that are remembered. */
function termsOf({ paymentTerms, dueTerms }: PartyView): DueTerms | null {
  return parseTerms(paymentTerms) ?? dueTerms;
}

/** What a party gives to a document besides the buyer and the currency. A credit note is not paid: it has no terms. */
function givenBy({ kind, issueDate }: InvoiceContent, party: PartyView) {
  const isPaid = kind !== "creditNote";
  const dueTerms = isPaid ? termsOf(party) : null;
  return {
    dueTerms,
    dueDate: dueTerms === null ? "" : dueDateOf(issueDate, dueTerms),
    paymentTerms: isPaid ? party.paymentTerms : "",
    note: party.note,
  };
}

/** Whether a price, another amount or the exchange rate is given: in another currency of the document it would mean something else. */
export function hasAmounts(content: InvoiceContent): boolean {
  const { allowancesCharges, prepaid, rounding, exchangeRate } = detailsOf(content);
  const ofLines = content.lines.flatMap((line) => {
    const details = lineDetailsOf(line);
    return [line.unitPrice, details.grossPrice, details.priceDiscount, ...amountsOf(details.allowancesCharges)];
  });
  return [...ofLines, ...amountsOf(allowancesCharges), prepaid, rounding, exchangeRate].some(Boolean);
}

function amountsOf(items: readonly AllowanceChargeContent[]): string[] {
  return items.flatMap(({ amount, base }) => [amount, base]);
}

/**
 * The content for a remembered buyer: the buyer is its own, the currency if there is no amount yet, due date, note and terms of payment
 * (BT-20) if nobody has typed others. `before`: the remembered buyer whose place it takes. What that one has filled goes with it.
 * `filledDueDate`: the due date that a buyer has filled, which the present issue date may not give any more.
 */
export function withParty(
  content: InvoiceContent,
  party: PartyView,
  before: PartyView | null = null,
  filledDueDate = "",
): InvoiceContent {
  const given = givenBy(content, party);
  const former = before && givenBy(content, before);
  const details = detailsOf(content);
  const typed = (name: "dueDate" | "paymentTerms" | "note", text: string) => (text === former?.[name] ? "" : text);
  const typedDueDate = content.dueDate === filledDueDate ? "" : typed("dueDate", content.dueDate);
  return {
    ...content,
    buyer: party.buyer,
    currency: (hasAmounts(content) && content.currency) || party.currency || content.currency,
    ...(typedDueDate === "" && { dueDate: given.dueDate, dueTerms: given.dueTerms }),
    note: typed("note", content.note) || given.note,
    details: { ...details, paymentTerms: typed("paymentTerms", details.paymentTerms) || given.paymentTerms },
  };
}

/**
 * The fields of a line for a remembered item, with the other details that the line has. A price in another currency is not taken over. If
 * the item has none, a price that was typed stays. `filledPrice`: the price that another item has filled, which goes with that item. A
 * price of the item is that of one unit: what the line says of its former price goes.
 */
export function lineOf(
  item: ItemView,
  last: PriceView | null,
  currency: string,
  line: Pick<LineContent, "unitPrice" | "details">,
  filledPrice = "",
): Partial<LineContent> {
  const price = last ?? item.price;
  const ownPrice = price.currency === "" || price.currency === currency ? price.unitPrice : "";
  const typedPrice = line.unitPrice === filledPrice ? "" : line.unitPrice;
  const details = lineDetailsOf(line);
  // The code of another item would be wrong.
  const given: Partial<LineDetails> = { itemCode: item.code, ...(ownPrice === "" ? {} : priceOfOne) };
  const isGiven = (Object.keys(given) as (keyof LineDetails)[]).every((name) => details[name] === given[name]);
  return {
    description: item.description,
    ...(item.unit === "" ? {} : { unit: item.unit }),
    unitPrice: ownPrice || typedPrice,
    ...(price.taxCategory === ""
      ? {}
      : { taxCategory: price.taxCategory, taxRate: price.taxRate, exemptionCode: price.exemptionCode }),
    ...(isGiven ? {} : { details: { ...details, ...given } }),
  };
}
