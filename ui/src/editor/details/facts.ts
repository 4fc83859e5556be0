/** What the rarely used fields hold, in words: for a closed fold, and for the detail of a document. */

import { localizedText } from "../../i18n/localizedText";
import { isolated, type Localizer } from "../../i18n/localizer";
import type {
  AddressContent,
  AllowanceChargeContent,
  BuyerDetails,
  IdentifierContent,
  InvoiceDetails,
  LineDetails,
  PaymentContent,
  PeriodContent,
} from "../../ipc/bindings";
import { codeText, countryName } from "../codeLists";
import { ADDRESS_FIELDS, type DocumentGroup, REFERENCES } from "./detailFields";
import { detailLabel } from "./detailLabels";
import { identifierSchemeText, paymentMeansList, subtypeChoices, taxPointChoices } from "./reasonCodes";

/** A field and what it holds. */
export interface Fact {
  label: string;
  text: string;
  /** The text says what it is, where there is little room. */
  speaksForItself?: true;
}

/** Facts as one text each. The value is isolated: after an Arabic label the parts of "4500-123" would change places. */
export function factTexts(facts: readonly Fact[]): string[] {
  return facts.map(({ label, text, speaksForItself }) => (speaksForItself ? text : `${label} ${isolated(text)}`));
}

/** The facts of a group of the document; none if it is empty. */
export function groupFacts(details: InvoiceDetails, group: DocumentGroup, localizer: Localizer): Fact[] {
  const { fact, alone } = factsAt(localizer);
  const { t, format, language } = localizer;
  const { references, payment, delivery, payee, taxRepresentative } = details;
  switch (group) {
    case "references":
      return filled([
        ...REFERENCES.map((name) => fact(`details.references.${name}`, references[name])),
        fact("details.references.invoicedObject", identifierText(references.invoicedObject, localizer)),
        // A dot would read as a zero beside Arabic digits.
        ...details.precedingDocuments.map(({ number, issueDate }) =>
          fact(
            "details.precedingDocuments.number",
            [number, format.date(issueDate)]
              .filter((text) => text !== "")
              .map(isolated)
              .join(" – "),
          ),
        ),
        ...details.documents.map(({ id, description, uri }) =>
          fact("details.documents.id", [identifierText(id, localizer), description, uri].filter((text) => text !== "").join(" ")),
        ),
      ]);
    case "delivery":
      return filled([
        alone(`details.delivery.party.${language}`, localizedText(delivery.party, language)),
        fact("details.delivery.location", identifierText(delivery.location, localizer)),
        fact("details.delivery.latestDate", format.date(delivery.latestDate)),
        alone("details.delivery.address", addressText(delivery.address, localizer)),
      ]);
    case "period":
      return periodFacts(details.period, localizer);
    case "payment": {
      const { transfer, cardAndMandate } = paymentFacts(payment, localizer);
      const others = details.otherPayments.map((other) => paymentFacts(other, localizer));
      return filled([
        ...transfer,
        alone("details.paymentTerms", details.paymentTerms),
        ...cardAndMandate,
        ...others.flatMap((other) => other.transfer.concat(other.cardAndMandate)),
        { label: t("part-payee-short"), text: localizedText(payee.name, language) },
        fact("details.payee.id", identifierText(payee.id, localizer)),
        fact("details.payee.legalId", identifierText(payee.legalId, localizer)),
      ]);
    }
    case "allowances":
      return allowanceFacts(details.allowancesCharges, localizer);
    case "taxCurrency":
      return filled([
        alone("details.taxCurrency", details.taxCurrency),
        alone("details.exchangeRate", format.decimal(details.exchangeRate)),
      ]);
    case "taxPoint":
      return filled([
        alone("details.subtype", details.subtype && chosen(subtypeChoices(localizer), details.subtype)),
        fact("details.taxPointDate", format.date(details.taxPointDate)),
        fact("details.taxPointCode", details.taxPointCode && chosen(taxPointChoices("", localizer), details.taxPointCode)),
        fact("details.taxRepresentative", localizedText(taxRepresentative.name, language)),
        fact("details.taxRepresentative.taxId", taxRepresentative.taxId),
        alone("details.taxRepresentative.address", addressText(taxRepresentative.address, localizer)),
      ]);
    case "prepaid":
      return filled([
        fact("details.prepaid", format.decimal(details.prepaid)),
        fact("details.rounding", format.decimal(details.rounding)),
      ]);
  }
}

/** The facts of a payment instruction, in two parts: the terms of payment stand between those of the first. */
function paymentFacts(payment: PaymentContent, localizer: Localizer): { transfer: Fact[]; cardAndMandate: Fact[] } {
  const { fact, alone } = factsAt(localizer);
  const path = "details.payment";
  return {
    transfer: [
      alone(`${path}.code`, codeText(paymentMeansList, payment.code, localizer)),
      alone(`${path}.name`, payment.name),
      alone(`${path}.account`, payment.account),
      alone(`${path}.accountName`, payment.accountName),
      alone(`${path}.provider`, payment.provider),
      alone(`${path}.remittance`, payment.remittance),
    ],
    cardAndMandate: [
      fact(`${path}.card.number`, payment.card.number),
      alone(`${path}.card.network`, payment.card.network),
      fact(`${path}.card.holder`, payment.card.holder),
      fact(`${path}.mandate.reference`, payment.mandate.reference),
      fact(`${path}.mandate.payerAccount`, payment.mandate.payerAccount),
    ],
  };
}

/** The facts of a buyer's details. */
export function buyerFacts(details: BuyerDetails, localizer: Localizer): Fact[] {
  const { fact, alone } = factsAt(localizer);
  const path = "buyer.details";
  return filled([
    ...details.otherIds.map(({ scheme, value }) => ({ label: identifierSchemeText(scheme, localizer), text: value })),
    fact(`${path}.legalId`, identifierText(details.legalId, localizer)),
    fact(`${path}.electronicAddress`, identifierText(details.electronicAddress, localizer)),
    alone(`${path}.tradingName.${localizer.language}`, localizedText(details.tradingName, localizer.language)),
    ...(["name", "phone", "email"] as const).map((name) => alone(`${path}.contact.${name}`, details.contact[name])),
    ...(["additionalStreet", "thirdLine", "region"] as const).map((name) => alone(`${path}.${name}`, details[name])),
    fact(`${path}.additionalNumber`, details.additionalNumber),
  ]);
}

/** The facts of a line's details. */
export function lineFacts(details: LineDetails, localizer: Localizer): Fact[] {
  const { fact, alone } = factsAt(localizer);
  const { language, format } = localizer;
  return filled([
    fact("details.itemCode", details.itemCode),
    fact("details.buyerItemCode", details.buyerItemCode),
    fact("details.standardItemCode", details.standardItemCode.value),
    fact("details.orderLine", details.orderLine),
    fact("details.priceBase", format.decimal(details.priceBase)),
    fact("details.grossPrice", format.decimal(details.grossPrice)),
    fact("details.priceDiscount", format.decimal(details.priceDiscount)),
    ...periodFacts(details.period, localizer),
    ...allowanceFacts(details.allowancesCharges, localizer),
    alone("details.exemptionReason", details.exemptionReason),
    alone("details.note", details.note),
    alone(`details.itemDescription.${language}`, localizedText(details.itemDescription, language)),
    fact("details.origin", details.origin && countryName(localizer, details.origin)),
    fact("details.object", identifierText(details.object, localizer)),
    fact("details.accounting", details.accounting),
    ...details.classifications.map(({ list, code }) => fact("details.classifications.code", `${list} ${code}`.trim())),
    ...details.attributes.map(({ name, value }) => ({ label: name, text: value })),
  ]);
}

function factsAt(localizer: Localizer) {
  const fact = (path: string, text: string): Fact => ({ label: detailLabel(path, localizer) ?? "", text });
  const alone = (path: string, text: string): Fact => ({ ...fact(path, text), speaksForItself: true });
  return { fact, alone };
}

function identifierText({ scheme, value }: IdentifierContent, localizer: Localizer): string {
  return value === "" || scheme === "" ? value : `${value} (${identifierSchemeText(scheme, localizer)})`;
}

function addressText(address: AddressContent, localizer: Localizer): string {
  const parts = ADDRESS_FIELDS.filter((name) => name !== "country").map((name) => address[name]);
  const country = address.country && countryName(localizer, address.country);
  return localizer.format.list([...parts, country].filter((text) => text !== ""));
}

function chosen(choices: readonly { id: string; label: string }[], id: string): string {
  return choices.find((choice) => choice.id === id)?.label ?? id;
}

function periodFacts({ start, end }: PeriodContent, { t, format }: Localizer): Fact[] {
  return filled([
    { label: t("field-period-start"), text: format.date(start) },
    { label: t("field-period-end"), text: format.date(end) },
  ]);
}

function allowanceFacts(items: readonly AllowanceChargeContent[], localizer: Localizer): Fact[] {
  const { t } = localizer;
  const { alone } = factsAt(localizer);
  const path = "details.allowancesCharges";
  const charges = items.filter(({ kind }) => kind === "charge").length;
  const allowances = items.length - charges;
  return [
    ...(allowances > 0 ? [alone(path, t("held-allowances", { count: allowances }))] : []),
    ...(charges > 0 ? [alone(path, t("held-charges", { count: charges }))] : []),
  ];
}

function filled(facts: readonly Fact[]): Fact[] {
  return facts.filter(({ text }) => text !== "");
}
