/** The labels of the fields that few documents have, and what a field belongs to where its label alone does not say it. */

import type { Localizer, MessageId } from "../../i18n/localizer";

/** Labels by path below the document or the line, without the numbers of entries of lists. Those of schemes follow from their identifiers. */
const LABELS: Readonly<Record<string, MessageId>> = {
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
  "details.references.tender": "field-tender",
  "details.references.invoicedObject.value": "field-invoiced-object",
  "details.precedingDocuments": "heading-preceding",
  "details.precedingDocuments.number": "field-preceding-number",
  "details.precedingDocuments.issueDate": "field-preceding-date",
  "details.documents": "heading-documents",
  "details.documents.id.value": "field-document-number",
  "details.documents.typeCode": "field-document-type",
  "details.documents.description": "field-document-description",
  "details.documents.uri": "field-document-uri",
  "details.delivery.party.ar": "field-recipient-ar",
  "details.delivery.party.en": "field-recipient-en",
  "details.delivery.location.value": "field-location",
  "details.delivery.latestDate": "field-latest-date",
  "details.delivery.address": "heading-address",
  "details.payment.code": "field-means-of-payment",
  "details.payment.account": "field-account",
  "details.payment.accountName": "field-account-name",
  "details.payment.provider": "field-provider",
  "details.payment.remittance": "field-remittance",
  "details.payment.name": "field-means-in-words",
  "details.payment.card.number": "field-card-number",
  "details.payment.card.network": "field-card-network",
  "details.payment.card.holder": "field-card-holder",
  "details.payment.mandate.reference": "field-mandate",
  "details.payment.mandate.payerAccount": "field-payer-account",
  "details.otherPayments": "heading-other-payments",
  "details.paymentTerms": "part-payment-terms",
  "details.payee": "heading-payee",
  "details.payee.name.ar": "field-payee-name-ar",
  "details.payee.name.en": "field-payee-name-en",
  "details.payee.id.value": "field-payee-id",
  "details.payee.legalId.value": "field-payee-legal-id",
  "details.taxCurrency": "part-tax-currency",
  "details.exchangeRate": "part-exchange-rate",
  "details.subtype": "field-subtype",
  "details.taxPointDate": "field-tax-point-date",
  "details.taxPointCode": "field-tax-point-code",
  "details.taxRepresentative": "heading-representative",
  "details.taxRepresentative.name.ar": "field-payee-name-ar",
  "details.taxRepresentative.name.en": "field-payee-name-en",
  "details.taxRepresentative.taxId": "field-tax-id",
  "details.taxRepresentative.address": "heading-address",
  "details.prepaid": "part-prepaid",
  "details.rounding": "part-rounding",
  "details.itemCode": "part-item-code",
  "details.buyerItemCode": "part-buyer-item-code",
  "details.orderLine": "part-order-line",
  "details.note": "part-line-note",
  "details.priceBase": "part-price-base",
  "details.exemptionReason": "field-exemption-reason",
  "details.object.value": "field-line-object",
  "details.accounting": "part-accounting",
  "details.grossPrice": "field-gross-price",
  "details.priceDiscount": "field-price-discount",
  "details.priceBaseUnit": "field-price-base-unit",
  "details.itemDescription.ar": "field-item-description-ar",
  "details.itemDescription.en": "field-item-description-en",
  "details.standardItemCode.value": "field-standard-item-code",
  "details.origin": "field-origin",
  "details.classifications": "heading-classifications",
  "details.classifications.code": "field-class",
  "details.classifications.list": "field-class-list",
  "details.classifications.version": "field-class-version",
  "details.attributes": "heading-attributes",
  "details.attributes.name": "field-attribute-name",
  "details.attributes.value": "field-attribute-value",
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
  "buyer.details.otherIds": "heading-identifiers",
  "buyer.details.otherIds.value": "field-other-id",
  "buyer.details.legalId.value": "field-legal-id",
  "buyer.details.electronicAddress.value": "field-electronic-address",
  "buyer.details.tradingName.ar": "field-trading-name-ar",
  "buyer.details.tradingName.en": "field-trading-name-en",
  "buyer.details.contact.name": "field-contact-name",
  "buyer.details.contact.phone": "field-contact-phone",
  "buyer.details.contact.email": "field-contact-email",
};

const ADDRESS_LABELS: Readonly<Record<string, MessageId>> = {
  building: "field-building",
  additionalNumber: "field-additional-number",
  street: "field-street",
  additionalStreet: "field-additional-street",
  thirdLine: "field-third-line",
  district: "field-district",
  city: "field-city",
  postalCode: "field-postal-code",
  region: "field-region",
  country: "field-country",
};

const OWNERS = {
  "buyer.details.": "part-of-buyer",
  "details.delivery.": "part-of-delivery",
  "details.payee.": "part-of-payee",
  "details.taxRepresentative.": "part-of-representative",
} as const;

/** The path without the numbers of lines and of entries of lists. */
function plainPath(path: string): string {
  return path.replace(/\[\d+\]/g, "").replace(/^lines\./, "");
}

/** The label of a field beside others of its group; `null` if it is none of these fields. */
export function detailLabel(path: string, { t }: Localizer): string | null {
  // Further payment instructions have the fields of the first.
  const plain = plainPath(path).replace(/^details\.otherPayments\./, "details.payment.");
  const id = LABELS[plain];
  if (id) return t(id as "field-kind");
  const [, owner = "", name = ""] = /^(.*)\.(\w+)$/.exec(plain) ?? [];
  const identified = LABELS[`${owner}.value`];
  if (name === "scheme" && identified) return t("field-scheme", { field: t(identified as "field-kind") });
  // An identifier as a whole.
  const whole = LABELS[`${plain}.value`];
  if (whole) return t(whole as "field-kind");
  const inAddress = owner.endsWith(".address") || owner === "buyer.details" ? ADDRESS_LABELS[name] : undefined;
  return inAddress ? t(inAddress as "field-kind") : null;
}

/** The label of a field with the entry and the party that it belongs to; `null` if it is none of these fields. */
export function detailName(path: string, localizer: Localizer): string | null {
  const { t, format } = localizer;
  const label = detailLabel(path, localizer);
  if (label === null) return null;
  const [, entry] =
    /(?:otherIds|documents|precedingDocuments|otherPayments|classifications|attributes)\[(\d+)\]/.exec(path) ?? [];
  const named = entry === undefined ? label : t("field-of-entry", { field: label, entry: format.integer(Number(entry) + 1) });
  const owner = Object.entries(OWNERS).find(([start]) => path.startsWith(start))?.[1];
  return owner ? t(owner, { field: named }) : named;
}
