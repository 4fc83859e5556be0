/** What the list is asked for: filter and sort, as the person has chosen them. */

import type { SortField } from "../ipc/bindings";
import type { InvoiceFilter } from "../queries/invoicePages";

/** The filters that stand as chips; the search field has its own place. */
export const facets = ["status", "kind", "issued", "due", "gross", "currency"] as const;
export type Facet = (typeof facets)[number];

/** Whether a facet narrows the list. */
export function isActive(filter: InvoiceFilter, facet: Facet): boolean {
  switch (facet) {
    case "status":
    case "kind":
    case "currency":
      return filter[facet].length > 0;
    case "issued":
      return filter.issuedFrom !== "" || filter.issuedTo !== "";
    case "due":
      return filter.dueFrom !== "" || filter.dueTo !== "";
    case "gross":
      return filter.grossFrom !== "" || filter.grossTo !== "";
  }
}

/** The filter without a facet. */
export function without(filter: InvoiceFilter, facet: Facet): InvoiceFilter {
  switch (facet) {
    case "status":
    case "kind":
    case "currency":
      return { ...filter, [facet]: [] };
    case "issued":
      return { ...filter, issuedFrom: "", issuedTo: "" };
    case "due":
      return { ...filter, dueFrom: "", dueTo: "" };
    case "gross":
      return { ...filter, grossFrom: "", grossTo: "" };
  }
}

/** Whether anything narrows the list, the search included. */
export function isFiltering(filter: InvoiceFilter): boolean {
  return filter.buyer !== "" || filter.number !== "" || facets.some((facet) => isActive(filter, facet));
}

/** The next sort when a header is pressed: its natural way first, then the other, then the list's own order. */
export function nextSort(current: InvoiceFilter["sort"], field: SortField): InvoiceFilter["sort"] {
  const natural = field === "gross" || field === "issueDate" || field === "dueDate" || field === "updated";
  if (current?.field !== field) return { field, descending: natural };
  return current.descending === natural ? { field, descending: !natural } : null;
}

/**
 * What the search field means: digits with a letter or a dash are a number, ten digits and more a tax id, which the buyer filter
 * knows; everything else is the buyer's name.
 */
export function searchTerms(text: string): Pick<InvoiceFilter, "buyer" | "number"> {
  const term = text.trim();
  const latin = term.replace(/[٠-٩]/g, (digit) => String("٠١٢٣٤٥٦٧٨٩".indexOf(digit)));
  if (/^\d{10,}$/.test(latin)) return { buyer: latin, number: "" };
  if (/\d/.test(latin) && !/\s/.test(latin)) return { buyer: "", number: latin };
  return { buyer: term, number: "" };
}
