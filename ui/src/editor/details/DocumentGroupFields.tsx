/** The fields of a group of rarely used fields of the document. */

import { type Dispatch, type ReactNode, useCallback } from "react";
import { useLocalizer } from "../../i18n/LocalizerProvider";
import type { InvoiceDetails, PaymentContent, PrecedingContent, SupportingDocumentContent } from "../../ipc/bindings";
import { currencyList } from "../codeLists";
import type { EditorAction } from "../draftReducer";
import { AllowancesCharges } from "./AllowancesCharges";
import { DetailChoice, DetailCode, DetailDate, DetailText } from "./DetailField";
import { type DocumentGroup, emptyPayment, REFERENCES } from "./detailFields";
import { EntryList } from "./EntryList";
import { FieldGroup } from "./FieldGroup";
import { AddressFields, IdentifierFields, TextFields } from "./PartyFields";
import { CardFields, MandateFields, TransferFields } from "./PaymentFields";
import { subtypeChoices, taxPointChoices } from "./reasonCodes";

export interface DocumentGroupFieldsProps {
  group: DocumentGroup;
  details: InvoiceDetails;
  currency: string;
  country: string;
  standardRate: string | null;
  isDisabled: boolean;
  dispatch: Dispatch<EditorAction>;
}

const emptyDocument: SupportingDocumentContent = {
  id: { scheme: "", value: "" },
  typeCode: "",
  description: "",
  uri: "",
};

const emptyPreceding: PrecedingContent = { number: "", issueDate: "" };

export function DocumentGroupFields({
  group,
  details,
  currency,
  country,
  standardRate,
  isDisabled,
  dispatch,
}: DocumentGroupFieldsProps): ReactNode {
  const localizer = useLocalizer();
  const { t } = localizer;
  const onFieldChange = useCallback((path: string, text: string) => dispatch({ type: "fieldChanged", path, text }), [dispatch]);
  const common = { onFieldChange, isDisabled };
  const { period, references, payment, delivery, payee, taxRepresentative } = details;
  switch (group) {
    case "references":
      return (
        <div className="flex flex-col gap-3">
          <div className="detail-grid">
            {REFERENCES.map((name) => (
              <DetailText key={name} {...common} path={`details.references.${name}`} value={references[name]} />
            ))}
            <IdentifierFields
              {...common}
              path="details.references.invoicedObject"
              value={references.invoicedObject}
              hint={t("object-scheme-hint")}
            />
          </div>
          <EntryList<PrecedingContent>
            path="details.precedingDocuments"
            entries={details.precedingDocuments}
            empty={emptyPreceding}
            addLabel={t("add-preceding")}
            firstField="number"
            namedBy="number"
            isDisabled={isDisabled}
            dispatch={dispatch}
          >
            {(entry, path) => (
              <>
                <DetailText {...common} path={`${path}.number`} value={entry.number} numeric />
                <DetailDate {...common} path={`${path}.issueDate`} value={entry.issueDate} />
              </>
            )}
          </EntryList>
          <EntryList<SupportingDocumentContent>
            path="details.documents"
            entries={details.documents}
            empty={emptyDocument}
            addLabel={t("add-document")}
            firstField="id.value"
            namedBy="id.value"
            isDisabled={isDisabled}
            dispatch={dispatch}
          >
            {(entry, path) => (
              <>
                <IdentifierFields {...common} path={`${path}.id`} value={entry.id} hint={t("object-scheme-hint")} />
                <DetailText {...common} path={`${path}.typeCode`} value={entry.typeCode} numeric hint={t("document-type-hint")} />
                <DetailText {...common} path={`${path}.description`} value={entry.description} className="detail-wide" />
                <DetailText {...common} path={`${path}.uri`} value={entry.uri} dir="ltr" className="detail-wide" />
              </>
            )}
          </EntryList>
        </div>
      );
    case "delivery":
      return (
        <div className="detail-grid">
          <TextFields {...common} path="details.delivery.party" value={delivery.party} />
          <DetailDate {...common} path="details.delivery.latestDate" value={delivery.latestDate} />
          <IdentifierFields {...common} path="details.delivery.location" value={delivery.location} hint={t("location-hint")} />
          <AddressFields {...common} path="details.delivery.address" value={delivery.address} />
        </div>
      );
    case "period":
      return (
        <div className="detail-grid">
          <DetailDate {...common} path="details.period.start" value={period.start} />
          <DetailDate {...common} path="details.period.end" value={period.end} />
        </div>
      );
    case "payment":
      return (
        <div className="flex flex-col gap-3">
          <div className="detail-grid">
            <TransferFields {...common} path="details.payment" value={payment} />
            <DetailText {...common} path="details.paymentTerms" value={details.paymentTerms} multiline className="detail-row" />
          </div>
          <FieldGroup title={t("heading-card")}>
            <div className="detail-grid">
              <CardFields {...common} path="details.payment.card" value={payment.card} />
            </div>
          </FieldGroup>
          <FieldGroup title={t("heading-mandate")}>
            <div className="detail-grid">
              <MandateFields {...common} path="details.payment.mandate" value={payment.mandate} />
            </div>
          </FieldGroup>
          <EntryList<PaymentContent>
            path="details.otherPayments"
            entries={details.otherPayments}
            empty={emptyPayment}
            addLabel={t("add-payment-means")}
            firstField="code"
            namedBy="code"
            isDisabled={isDisabled}
            dispatch={dispatch}
          >
            {(entry, path) => (
              <>
                <TransferFields {...common} path={path} value={entry} />
                <CardFields {...common} path={`${path}.card`} value={entry.card} />
                <MandateFields {...common} path={`${path}.mandate`} value={entry.mandate} />
              </>
            )}
          </EntryList>
          <FieldGroup title={t("heading-payee")}>
            <div className="detail-grid">
              <TextFields {...common} path="details.payee.name" value={payee.name} />
              <IdentifierFields {...common} path="details.payee.id" value={payee.id} hint={t("icd-hint")} />
              <IdentifierFields {...common} path="details.payee.legalId" value={payee.legalId} hint={t("icd-hint")} />
            </div>
          </FieldGroup>
        </div>
      );
    case "allowances":
      return (
        <AllowancesCharges
          items={details.allowancesCharges}
          line={null}
          country={country}
          standardRate={standardRate}
          isDisabled={isDisabled}
          dispatch={dispatch}
        />
      );
    case "taxCurrency":
      return (
        <div className="detail-grid">
          <DetailCode
            {...common}
            path="details.taxCurrency"
            value={details.taxCurrency}
            list={currencyList}
            none={{ id: "", label: t("same-currency"), detail: currency }}
          />
          <DetailText
            {...common}
            path="details.exchangeRate"
            value={details.exchangeRate}
            numeric
            hint={details.taxCurrency === "" ? undefined : t("exchange-rate-hint", { tax: details.taxCurrency, currency })}
          />
        </div>
      );
    case "taxPoint":
      return (
        <div className="flex flex-col gap-3">
          <div className="detail-grid">
            <DetailChoice {...common} path="details.subtype" value={details.subtype} choices={subtypeChoices(localizer)} />
            <DetailDate {...common} path="details.taxPointDate" value={details.taxPointDate} />
            <DetailChoice
              {...common}
              path="details.taxPointCode"
              value={details.taxPointCode}
              choices={taxPointChoices(details.taxPointCode, localizer)}
            />
          </div>
          <FieldGroup title={t("heading-representative")}>
            <div className="detail-grid">
              <TextFields {...common} path="details.taxRepresentative.name" value={taxRepresentative.name} />
              <DetailText {...common} path="details.taxRepresentative.taxId" value={taxRepresentative.taxId} numeric />
              <AddressFields {...common} path="details.taxRepresentative.address" value={taxRepresentative.address} />
            </div>
          </FieldGroup>
        </div>
      );
    case "prepaid":
      return (
        <div className="detail-grid">
          <DetailText {...common} path="details.prepaid" value={details.prepaid} numeric />
          <DetailText {...common} path="details.rounding" value={details.rounding} numeric hint={t("rounding-hint")} />
        </div>
      );
  }
}
