/** The fields that few documents have: their labels, their groups, and their paths in the order of the form. */

import type { MessageId } from "../../i18n/localizer";
import type { AllowanceChargeContent, InvoiceContent, InvoiceDetails, LineContent, LineDetails } from "../../ipc/bindings";

export const emptyLineDetails: LineDetails = {
  itemCode: "",
  buyerItemCode: "",
  orderLine: "",
  note: "",
  period: { start: "", end: "" },
  priceBase: "",
  exemptionReason: "",
  allowancesCharges: [],
};

export const emptyDetails: InvoiceDetails = {
  period: { start: "", end: "" },
  references: {
    purchaseOrder: "",
    buyer: "",
    contract: "",
    project: "",
    salesOrder: "",
    despatchAdvice: "",
    receivingAdvice: "",
    accounting: "",
  },
  payment: { code: "", account: "", accountName: "", provider: "", remittance: "" },
  paymentTerms: "",
  taxCurrency: "",
  exchangeRate: "",
  prepaid: "",
  rounding: "",
  allowancesCharges: [],
};

/** The details of a content that a version without them may have made. */
export function detailsOf({ details }: Pick<InvoiceContent, "details">): InvoiceDetails {
  return details ?? emptyDetails;
}

export function lineDetailsOf({ details }: Pick<LineContent, "details">): LineDetails {
  return details ?? emptyLineDetails;
}

/** The content with all details, so that a text can be set at each of their paths. */
export function withAllDetails(content: InvoiceContent): InvoiceContent {
  if (content.details && content.lines.every(({ details }) => details)) return content;
  const lines = content.lines.map((line) => (line.details ? line : { ...line, details: emptyLineDetails }));
  return { ...content, details: detailsOf(content), lines };
}

/** Labels by path below the document or the line, without the numbers of allowances and charges. */
export const DETAIL_LABELS: Readonly<Record<string, MessageId>> = {
  "details.period.start": "field-period-start",
  "details.period.end": "field-period-end",
  "details.references.purchaseOrder": "part-purchase-order",
  "details.references.buyer": "part-buyer-reference",
  "details.references.contract": "part-contract",
  "details.references.project": "part-project",
  "details.references.salesOrder": "part-sales-order",
  "details.references.despatchAdvice": "part-despatch-advice",
  "details.references.receivingAdvice": "part-receiving-advice",
  "details.references.accounting": "part-accounting",
  "details.payment.code": "field-means-of-payment",
  "details.payment.account": "field-account",
  "details.payment.accountName": "field-account-name",
  "details.payment.provider": "field-provider",
  "details.payment.remittance": "field-remittance",
  "details.paymentTerms": "part-payment-terms",
  "details.taxCurrency": "part-tax-currency",
  "details.exchangeRate": "part-exchange-rate",
  "details.prepaid": "part-prepaid",
  "details.rounding": "part-rounding",
  "details.itemCode": "part-item-code",
  "details.buyerItemCode": "part-buyer-item-code",
  "details.orderLine": "part-order-line",
  "details.note": "part-line-note",
  "details.priceBase": "part-price-base",
  "details.exemptionReason": "field-exemption-reason",
  "details.allowancesCharges": "group-allowances",
  "details.allowancesCharges.kind": "field-kind",
  "details.allowancesCharges.amount": "field-amount",
  "details.allowancesCharges.percent": "field-percent",
  "details.allowancesCharges.base": "field-base",
  "details.allowancesCharges.reasonCode": "field-reason-code",
  "details.allowancesCharges.reason": "field-reason-text",
  "details.allowancesCharges.taxCategory": "field-tax-category",
  "details.allowancesCharges.taxRate": "field-tax-rate",
  "details.allowancesCharges.exemptionCode": "field-exemption",
};

/** A group of fields of the document that is folded on its own. */
export type DocumentGroup = "references" | "period" | "payment" | "allowances" | "taxCurrency" | "prepaid";

/** The groups in the order of the form, with the paths of their texts. Those of allowances and charges depend on their number. */
export const DOCUMENT_GROUPS: Readonly<Record<DocumentGroup, readonly string[]>> = {
  references: Object.keys(emptyDetails.references).map((name) => `details.references.${name}`),
  period: ["details.period.start", "details.period.end"],
  payment: [
    "details.payment.code",
    "details.payment.account",
    "details.payment.accountName",
    "details.payment.provider",
    "details.payment.remittance",
    "details.paymentTerms",
  ],
  allowances: [],
  taxCurrency: ["details.taxCurrency", "details.exchangeRate"],
  prepaid: ["details.prepaid", "details.rounding"],
};

export const documentGroups = Object.keys(DOCUMENT_GROUPS) as DocumentGroup[];

/** The group of a field of the document, or `null` if it is in none. */
export function groupOf(path: string): DocumentGroup | null {
  if (path.startsWith("details.allowancesCharges")) return "allowances";
  return documentGroups.find((group) => DOCUMENT_GROUPS[group].includes(path)) ?? null;
}

const LINE_FIELDS = [
  "itemCode",
  "buyerItemCode",
  "orderLine",
  "priceBase",
  "period.start",
  "period.end",
  "exemptionReason",
  "note",
];
const ITEM_FIELDS = ["amount", "percent", "base", "reasonCode", "reason"];

/** How many allowances and charges the document and each of its lines have. */
export interface AllowanceCounts {
  document: number;
  lines: readonly number[];
}

export function allowanceCounts(content: InvoiceContent): AllowanceCounts {
  return {
    document: detailsOf(content).allowancesCharges.length,
    lines: content.lines.map((line) => lineDetailsOf(line).allowancesCharges.length),
  };
}

/** The paths of the document's details that have an input. */
export function documentDetailPaths(count: number): string[] {
  const items = itemPaths("details", count, [...ITEM_FIELDS, "taxCategory", "taxRate", "exemptionCode"]);
  return documentGroups.flatMap((group) => (group === "allowances" ? items : DOCUMENT_GROUPS[group]));
}

/** The paths of a line's details that have an input. */
export function lineDetailPaths(index: number, count: number): string[] {
  const path = `lines[${index}].details`;
  return [...LINE_FIELDS.map((name) => `${path}.${name}`), ...itemPaths(path, count, ITEM_FIELDS)];
}

function itemPaths(owner: string, count: number, fields: readonly string[]): string[] {
  return Array.from({ length: count }, (_, at) => fields.map((name) => `${owner}.allowancesCharges[${at}].${name}`)).flat();
}

/** An allowance or charge that is added. One of the document has the tax of the first line. */
export function newAllowanceCharge(
  kind: AllowanceChargeContent["kind"],
  line: LineContent | undefined,
  ofDocument: boolean,
): AllowanceChargeContent {
  return {
    kind,
    amount: "",
    percent: "",
    base: "",
    reason: "",
    reasonCode: "",
    taxCategory: ofDocument ? (line?.taxCategory ?? "") : "",
    taxRate: ofDocument ? (line?.taxRate ?? "") : "",
    exemptionCode: ofDocument ? (line?.exemptionCode ?? "") : "",
  };
}

/** The content with other allowances and charges, of the document or of a line. */
export function withAllowances(
  content: InvoiceContent,
  line: number | null,
  change: (items: AllowanceChargeContent[]) => AllowanceChargeContent[],
): InvoiceContent {
  if (line === null) {
    const details = detailsOf(content);
    return { ...content, details: { ...details, allowancesCharges: change(details.allowancesCharges) } };
  }
  const changed = content.lines[line];
  if (!changed) return content;
  const details = lineDetailsOf(changed);
  const lines = content.lines.with(line, {
    ...changed,
    details: { ...details, allowancesCharges: change(details.allowancesCharges) },
  });
  return { ...content, lines };
}
