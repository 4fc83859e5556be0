/** What a folded group holds, in words. */

import type { Localizer } from "../../i18n/localizer";
import type { AllowanceChargeContent, InvoiceDetails, LineDetails, PeriodContent } from "../../ipc/bindings";
import type { DocumentGroup } from "./detailFields";
import { paymentMeansChoices } from "./reasonCodes";

/** The texts of a group of the document; none if it is empty. */
export function heldByGroup(details: InvoiceDetails, group: DocumentGroup, localizer: Localizer): string[] {
  const { t } = localizer;
  const { references, payment } = details;
  switch (group) {
    case "references":
      return filled([
        [t("part-purchase-order"), references.purchaseOrder],
        [t("part-buyer-reference"), references.buyer],
        [t("part-contract"), references.contract],
        [t("part-project"), references.project],
        [t("part-sales-order"), references.salesOrder],
        [t("part-despatch-advice"), references.despatchAdvice],
        [t("part-receiving-advice"), references.receivingAdvice],
        [t("part-accounting"), references.accounting],
      ]);
    case "period":
      return heldByPeriod(details.period, localizer);
    case "payment": {
      const means = paymentMeansChoices(payment.code, localizer).find(({ id }) => id === payment.code && id !== "");
      return [
        means?.label ?? "",
        payment.account,
        payment.accountName,
        payment.provider,
        payment.remittance,
        details.paymentTerms,
      ].filter((text) => text !== "");
    }
    case "allowances":
      return heldByAllowances(details.allowancesCharges, localizer);
    case "taxCurrency":
      return [details.taxCurrency, details.exchangeRate].filter((text) => text !== "");
    case "prepaid":
      return filled([
        [t("part-prepaid"), details.prepaid],
        [t("part-rounding"), details.rounding],
      ]);
  }
}

/** The texts of the details of a line; none if it has no details. */
export function heldByLine(details: LineDetails, localizer: Localizer): string[] {
  const { t } = localizer;
  return [
    ...filled([
      [t("part-item-code"), details.itemCode],
      [t("part-buyer-item-code"), details.buyerItemCode],
      [t("part-order-line"), details.orderLine],
      [t("part-price-base"), details.priceBase],
    ]),
    ...heldByPeriod(details.period, localizer),
    ...heldByAllowances(details.allowancesCharges, localizer),
    ...[details.exemptionReason, details.note].filter((text) => text !== ""),
  ];
}

function heldByPeriod({ start, end }: PeriodContent, { t, format }: Localizer): string[] {
  return filled([
    [t("field-period-start"), format.date(start)],
    [t("field-period-end"), format.date(end)],
  ]);
}

function heldByAllowances(items: readonly AllowanceChargeContent[], { t }: Localizer): string[] {
  const charges = items.filter(({ kind }) => kind === "charge").length;
  const allowances = items.length - charges;
  return [
    ...(allowances > 0 ? [t("held-allowances", { count: allowances })] : []),
    ...(charges > 0 ? [t("held-charges", { count: charges })] : []),
  ];
}

function filled(fields: readonly (readonly [string, string])[]): string[] {
  return fields.filter(([, text]) => text !== "").map(([label, text]) => `${label} ${text}`);
}
