/** The fields that few documents have: their empty values, their groups, and their paths in the order of the form. */

import type {
  AddressContent,
  AllowanceChargeContent,
  BuyerContent,
  BuyerDetails,
  InvoiceContent,
  InvoiceDetails,
  LineContent,
  LineDetails,
  PaymentContent,
} from "../../ipc/bindings";

const noText = { ar: "", en: "" };
const noIdentifier = { scheme: "", value: "" };

const emptyAddress: AddressContent = {
  building: "",
  additionalNumber: "",
  street: "",
  additionalStreet: "",
  thirdLine: "",
  district: "",
  city: "",
  postalCode: "",
  region: "",
  country: "",
};

export const emptyPayment: PaymentContent = {
  code: "",
  account: "",
  accountName: "",
  provider: "",
  remittance: "",
  name: "",
  card: { number: "", network: "", holder: "" },
  mandate: { reference: "", payerAccount: "" },
};

export const emptyBuyerDetails: BuyerDetails = {
  tradingName: noText,
  otherIds: [],
  legalId: noIdentifier,
  electronicAddress: noIdentifier,
  contact: { name: "", phone: "", email: "" },
  additionalNumber: "",
  additionalStreet: "",
  thirdLine: "",
  region: "",
};

export const emptyLineDetails: LineDetails = {
  itemCode: "",
  buyerItemCode: "",
  orderLine: "",
  note: "",
  period: { start: "", end: "" },
  priceBase: "",
  exemptionReason: "",
  allowancesCharges: [],
  object: noIdentifier,
  accounting: "",
  grossPrice: "",
  priceDiscount: "",
  priceBaseUnit: "",
  itemDescription: noText,
  standardItemCode: noIdentifier,
  origin: "",
  classifications: [],
  attributes: [],
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
    tender: "",
    invoicedObject: noIdentifier,
  },
  payment: emptyPayment,
  otherPayments: [],
  paymentTerms: "",
  taxCurrency: "",
  exchangeRate: "",
  prepaid: "",
  rounding: "",
  allowancesCharges: [],
  subtype: "",
  taxPointDate: "",
  taxPointCode: "",
  delivery: { party: noText, location: noIdentifier, latestDate: "", address: emptyAddress },
  payee: { name: noText, id: noIdentifier, legalId: noIdentifier },
  taxRepresentative: { name: noText, taxId: "", address: emptyAddress },
  documents: [],
  precedingDocuments: [],
};

/** The details of a content that a version without them may have made. */
export function detailsOf({ details }: Pick<InvoiceContent, "details">): InvoiceDetails {
  return details ?? emptyDetails;
}

export function lineDetailsOf({ details }: Pick<LineContent, "details">): LineDetails {
  return details ?? emptyLineDetails;
}

/** Whether a line has none of the rarely used fields. */
export function hasNoLineDetails({ details }: Pick<LineContent, "details">): boolean {
  if (!details || details === emptyLineDetails) return true;
  return JSON.stringify({ ...emptyLineDetails, ...details }) === JSON.stringify(emptyLineDetails);
}

export function buyerDetailsOf({ details }: Pick<BuyerContent, "details">): BuyerDetails {
  return details ?? emptyBuyerDetails;
}

/** The content with all details, so that a text can be set at each of their paths. */
export function withAllDetails(content: InvoiceContent): InvoiceContent {
  if (content.details && content.buyer.details && content.lines.every(({ details }) => details)) return content;
  const lines = content.lines.map((line) => (line.details ? line : { ...line, details: emptyLineDetails }));
  const buyer = { ...content.buyer, details: buyerDetailsOf(content.buyer) };
  return { ...content, buyer, details: detailsOf(content), lines };
}

/** A group of fields of the document that is folded on its own. */
export type DocumentGroup =
  | "references"
  | "delivery"
  | "period"
  | "payment"
  | "allowances"
  | "taxCurrency"
  | "taxPoint"
  | "prepaid";

/** The fields of an address in the order of the form. */
export const ADDRESS_FIELDS = [
  "country",
  "building",
  "street",
  "additionalStreet",
  "thirdLine",
  "district",
  "city",
  "postalCode",
  "additionalNumber",
  "region",
] as const;

const texts = (path: string) => [`${path}.ar`, `${path}.en`];
const identifier = (path: string) => [`${path}.value`, `${path}.scheme`];
const address = (path: string) => ADDRESS_FIELDS.map((name) => `${path}.${name}`);

export const REFERENCES = [
  "purchaseOrder",
  "buyer",
  "contract",
  "project",
  "salesOrder",
  "despatchAdvice",
  "receivingAdvice",
  "accounting",
  "tender",
] as const;

const TRANSFER_FIELDS = ["code", "account", "accountName", "provider", "remittance", "name"];
const CARD_AND_MANDATE_FIELDS = ["card.number", "card.network", "card.holder", "mandate.reference", "mandate.payerAccount"];

/** The groups in the order of the form, with the paths of their texts. Those of lists depend on their number. */
const DOCUMENT_GROUPS: Readonly<Record<DocumentGroup, readonly string[]>> = {
  references: [...REFERENCES.map((name) => `details.references.${name}`), ...identifier("details.references.invoicedObject")],
  delivery: [
    ...texts("details.delivery.party"),
    "details.delivery.latestDate",
    ...identifier("details.delivery.location"),
    ...address("details.delivery.address"),
  ],
  period: ["details.period.start", "details.period.end"],
  payment: [
    ...TRANSFER_FIELDS.map((name) => `details.payment.${name}`),
    "details.paymentTerms",
    ...CARD_AND_MANDATE_FIELDS.map((name) => `details.payment.${name}`),
    ...texts("details.payee.name"),
    ...identifier("details.payee.id"),
    ...identifier("details.payee.legalId"),
  ],
  allowances: [],
  taxCurrency: ["details.taxCurrency", "details.exchangeRate"],
  taxPoint: [
    "details.subtype",
    "details.taxPointDate",
    "details.taxPointCode",
    ...texts("details.taxRepresentative.name"),
    "details.taxRepresentative.taxId",
    ...address("details.taxRepresentative.address"),
  ],
  prepaid: ["details.prepaid", "details.rounding"],
};

export const documentGroups = Object.keys(DOCUMENT_GROUPS) as DocumentGroup[];

/** The group of a field of the document, or `null` if it is in none. */
export function groupOf(path: string): DocumentGroup | null {
  if (path.startsWith("details.allowancesCharges")) return "allowances";
  if (path.startsWith("details.documents") || path.startsWith("details.precedingDocuments")) return "references";
  if (path.startsWith("details.otherPayments")) return "payment";
  return documentGroups.find((group) => DOCUMENT_GROUPS[group].includes(path)) ?? null;
}

const BUYER_FIELDS = [
  ...identifier("legalId"),
  ...identifier("electronicAddress"),
  ...texts("tradingName"),
  "contact.name",
  "contact.phone",
  "contact.email",
  "additionalStreet",
  "thirdLine",
  "additionalNumber",
  "region",
];
const LINE_FIELDS = [
  "itemCode",
  "buyerItemCode",
  "orderLine",
  "priceBase",
  "period.start",
  "period.end",
  "exemptionReason",
  "note",
  "priceBaseUnit",
  "grossPrice",
  "priceDiscount",
  ...texts("itemDescription"),
  ...identifier("standardItemCode"),
  "origin",
  ...identifier("object"),
  "accounting",
];
const ITEM_FIELDS = ["amount", "percent", "base", "reasonCode", "reason"];

/** How many entries the lists of a line have. */
export interface LineCounts {
  allowances: number;
  classifications: number;
  attributes: number;
}

/** How many entries the lists of the document and of each of its lines have. */
export interface ListCounts {
  allowances: number;
  documents: number;
  precedingDocuments: number;
  otherPayments: number;
  buyerIds: number;
  lines: readonly LineCounts[];
}

export function listCounts(content: InvoiceContent): ListCounts {
  const ofDocument = detailsOf(content);
  return {
    allowances: ofDocument.allowancesCharges.length,
    documents: ofDocument.documents.length,
    precedingDocuments: ofDocument.precedingDocuments.length,
    otherPayments: ofDocument.otherPayments.length,
    buyerIds: buyerDetailsOf(content.buyer).otherIds.length,
    lines: content.lines.map((line) => {
      const details = lineDetailsOf(line);
      return {
        allowances: details.allowancesCharges.length,
        classifications: details.classifications.length,
        attributes: details.attributes.length,
      };
    }),
  };
}

/** The paths of the document's details that have an input. */
export function documentDetailPaths({ allowances, documents, precedingDocuments, otherPayments }: ListCounts): string[] {
  const lists: Partial<Record<DocumentGroup, string[]>> = {
    allowances: entryPaths("details.allowancesCharges", allowances, [...ITEM_FIELDS, "taxCategory", "taxRate", "exemptionCode"]),
    payment: entryPaths("details.otherPayments", otherPayments, [...TRANSFER_FIELDS, ...CARD_AND_MANDATE_FIELDS]),
    references: [
      ...entryPaths("details.precedingDocuments", precedingDocuments, ["number", "issueDate"]),
      ...entryPaths("details.documents", documents, ["id.value", "id.scheme", "typeCode", "description", "uri"]),
    ],
  };
  return documentGroups.flatMap((group) => DOCUMENT_GROUPS[group].concat(lists[group] ?? []));
}

/** The paths of the buyer's details that have an input. */
export function buyerDetailPaths({ buyerIds }: ListCounts): string[] {
  const path = "buyer.details";
  const list = `${path}.otherIds`;
  return [
    // A rule can ask for one: the error leads to the button that adds it.
    ...(buyerIds === 0 ? [list] : entryPaths(list, buyerIds, ["scheme", "value"])),
    ...BUYER_FIELDS.map((name) => `${path}.${name}`),
  ];
}

/** The paths of a line's details that have an input. */
export function lineDetailPaths(index: number, counts: LineCounts | undefined): string[] {
  const path = `lines[${index}].details`;
  return [
    ...LINE_FIELDS.map((name) => `${path}.${name}`),
    ...entryPaths(`${path}.classifications`, counts?.classifications ?? 0, ["code", "list", "version"]),
    ...entryPaths(`${path}.attributes`, counts?.attributes ?? 0, ["name", "value"]),
    ...entryPaths(`${path}.allowancesCharges`, counts?.allowances ?? 0, ITEM_FIELDS),
  ];
}

function entryPaths(list: string, count: number, fields: readonly string[]): string[] {
  return Array.from({ length: count }, (_, at) => fields.map((name) => `${list}[${at}].${name}`)).flat();
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
