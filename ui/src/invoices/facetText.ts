/** Text of a filter chip. */

import { useLocalizer } from "../i18n/LocalizerProvider";
import type { Localizer } from "../i18n/localizer";
import type { InvoiceFilter } from "../queries/invoicePages";
import type { Facet } from "./filter";

export function useFacetText(filter: InvoiceFilter, facet: Facet): string {
  return facetText(filter, facet, useLocalizer());
}

export function facetText(filter: InvoiceFilter, facet: Facet, { t, format }: Localizer): string {
  const name = t(`facet-${facet}`);
  const list = (values: readonly string[]) => (values.length === 0 ? name : t("facet-is", { name, value: format.list(values) }));
  switch (facet) {
    case "status":
      return list(filter.status.map((status) => t(`status-${status}`)));
    case "payment":
      return list(filter.payment.map((state) => t(`payment-${state}`)));
    case "submission":
      return list(submissionTexts(filter));
    case "kind":
      return list(filter.kind.map((kind) => t(`kind-${kind}`)));
    case "currency":
      return list(filter.currency);
    case "issued":
      return range(format.date(filter.issuedFrom), format.date(filter.issuedTo));
    case "due":
      return range(format.date(filter.dueFrom), format.date(filter.dueTo));
    case "gross":
      return range(filter.grossFrom, filter.grossTo);
  }

  function submissionTexts({ submission, hasWarnings }: InvoiceFilter): readonly string[] {
    const states = submission.map((state) => t(`submission-state-${state}`));
    if (!hasWarnings) return states;
    const state = format.list(states);
    return [state === "" ? t("submission-state-remarks") : t("submission-state-with-remarks", { state })];
  }

  function range(from: string, to: string): string {
    if (from !== "" && to !== "") return t("facet-between", { name, from, to });
    if (from !== "") return t("facet-from", { name, from });
    return to === "" ? name : t("facet-to", { name, to });
  }
}
