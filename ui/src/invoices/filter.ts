/** Filter and sort order of the invoice list. */

import { withLatinDigits } from "../i18n/digits";
import type { SortField } from "../ipc/bindings";
import type { InvoiceFilter } from "../queries/invoicePages";

/** Filters with a chip. The search field is separate. */
export const facets = ["status", "payment", "submission", "kind", "issued", "due", "gross", "currency"] as const;
export type Facet = (typeof facets)[number];

/** Whether a facet filters the list. */
export function isActive(filter: InvoiceFilter, facet: Facet): boolean {
  switch (facet) {
    case "status":
    case "payment":
    case "kind":
    case "currency":
      return filter[facet].length > 0;
    case "submission":
      return filter.submission.length > 0 || filter.hasWarnings;
    case "issued":
    case "due":
    case "gross":
      return filter[`${facet}From` as const] !== "" || filter[`${facet}To` as const] !== "";
  }
}

/** The filter with a facet cleared. */
export function without(filter: InvoiceFilter, facet: Facet): InvoiceFilter {
  switch (facet) {
    case "status":
    case "payment":
    case "kind":
    case "currency":
      return { ...filter, [facet]: [] };
    case "submission":
      return { ...filter, submission: [], hasWarnings: false };
    case "issued":
    case "due":
    case "gross":
      return { ...filter, [`${facet}From`]: "", [`${facet}To`]: "" };
  }
}

/** Whether any filter is active, including the search. */
export function isFiltering(filter: InvoiceFilter): boolean {
  return filter.buyer !== "" || filter.number !== "" || facets.some((facet) => isActive(filter, facet));
}

/** The next sort order of a column header: its default direction, then the reverse, then the default order of the list. */
export function nextSort(current: InvoiceFilter["sort"], field: SortField): InvoiceFilter["sort"] {
  const natural = field === "gross" || field === "issueDate" || field === "dueDate" || field === "updated";
  if (current?.field !== field) return { field, descending: natural };
  return current.descending === natural ? { field, descending: !natural } : null;
}

/** What a search adds to the filter. */
export type SearchTerms = Pick<InvoiceFilter, "buyer" | "number"> & Partial<Pick<InvoiceFilter, "grossFrom" | "grossTo">>;

/**
 * The readings of the search text, the likeliest first. Ten digits or more are a tax id, which the buyer filter also searches. Digits
 * with decimals are an amount; digits alone an amount, a part of a number, or of a buyer's name or tax id. Digits with a letter or a
 * dash are a part of a number or of a buyer, as `3M` and `DE123456789`. Everything else is a buyer. In a list that is filtered by amounts
 * no text is one: it would take the place of that filter.
 */
export function searchReadings(text: string, hasAmounts = false): SearchTerms[] {
  const term = text.trim();
  const latin = withLatinDigits(term);
  if (/^\d{10,}$/.test(latin)) return [{ buyer: latin, number: "" }];
  const amount = hasAmounts ? null : amountIn(latin);
  if (amount !== null) {
    const asAmount = { buyer: "", number: "", grossFrom: amount, grossTo: amount };
    const isWhole = /^[1-9]\d*$/.test(latin);
    return isWhole ? [asAmount, { buyer: "", number: latin }, { buyer: latin, number: "" }] : [asAmount];
  }
  const asBuyer = { buyer: /^\d+$/.test(latin) ? latin : term, number: "" };
  if (/\d/.test(latin) && !/\s/.test(latin)) return [{ buyer: "", number: latin }, asBuyer];
  return [{ buyer: term, number: "" }];
}

/**
 * `1234.50` for `1,234.50`, `1 234,50` and `1234٫50`; `null` if the text is no amount. A zero in front makes it a number. Three decimals
 * become four: the core finds two readings in `12.345`.
 */
function amountIn(latin: string): string | null {
  const plain = latin.replaceAll("٫", ".").replace(/[٬\s'’](?=\d{3}(\D|$))/g, "");
  const match =
    /^(\d{1,3}(?:,\d{3})+|\d+)(?:\.(\d{1,4}))?$/.exec(plain) ?? /^(\d{1,3}(?:\.\d{3})+|\d+)(?:,(\d{1,4}))?$/.exec(plain);
  if (!match?.[1]) return null;
  const whole = match[1].replace(/[.,]/g, "");
  if (/^0\d/.test(whole) || whole.length > 15) return null;
  const fraction = match[2] ?? "";
  return fraction === "" ? whole : `${whole}.${fraction.length === 3 ? fraction.padEnd(4, "0") : fraction}`;
}
