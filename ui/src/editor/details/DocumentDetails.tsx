/** The groups of rarely used fields of the document, folded below the header. */

import { type Dispatch, memo, type ReactNode, useCallback, useId, useState } from "react";
import { useLocalizer } from "../../i18n/LocalizerProvider";
import type { InvoiceDetails } from "../../ipc/bindings";
import { currencies } from "../codeLists";
import type { EditorAction } from "../draftReducer";
import type { FieldError } from "../fields";
import { AllowancesCharges } from "./AllowancesCharges";
import { DetailChoice, DetailDate, DetailText } from "./DetailField";
import { type DocumentGroup, documentGroups, groupOf } from "./detailFields";
import { Fold } from "./Fold";
import { heldByGroup } from "./heldTexts";
import { isMistypedIban } from "./iban";
import { paymentMeansChoices } from "./reasonCodes";
import { useUnfolded } from "./useUnfolded";

export interface DocumentDetailsProps {
  details: InvoiceDetails;
  currency: string;
  country: string;
  standardRate: string | null;
  fieldErrors: readonly FieldError[];
  isDisabled: boolean;
  dispatch: Dispatch<EditorAction>;
}

/** The fold of all groups. */
const ALL = "document";

export const DocumentDetails = memo(function DocumentDetails(props: DocumentDetailsProps) {
  const { details, fieldErrors } = props;
  const localizer = useLocalizer();
  const { t } = localizer;
  const id = useId();
  const [heldAtFirst] = useState(() => {
    const held = documentGroups.filter((group) => heldByGroup(details, group, localizer).length > 0);
    return new Set<string>(held.length > 0 ? [ALL, ...held] : []);
  });
  const { isOpen, setOpen } = useUnfolded(heldAtFirst);
  const errorsOf = (group: DocumentGroup) => fieldErrors.filter(({ field }) => field !== null && groupOf(field) === group).length;
  const groups = documentGroups.map((group) => ({
    group,
    held: heldByGroup(details, group, localizer),
    errors: errorsOf(group),
  }));
  const errors = groups.reduce((sum, group) => sum + group.errors, 0);
  const open = isOpen(ALL, errors);
  return (
    <section aria-label={t("more-document")} className="flex flex-col rounded-md border border-line bg-surface p-1">
      <Fold
        label={t("more-document")}
        controls={id}
        held={groups.flatMap(({ held }) => held)}
        errors={errors}
        isOpen={open}
        onOpenChange={(wanted) => setOpen(ALL, wanted)}
      />
      {open && (
        <div id={id} className="flex flex-col border-line border-t pt-1">
          {groups.map(({ group, held, errors: mistakes }) => {
            const shown = isOpen(group, mistakes);
            return (
              <div key={group} className="flex flex-col">
                <Fold
                  label={t(`group-${group}`)}
                  controls={`${id}-${group}`}
                  held={held}
                  errors={mistakes}
                  isOpen={shown}
                  onOpenChange={(wanted) => setOpen(group, wanted)}
                />
                {shown && (
                  <div id={`${id}-${group}`} role="group" aria-label={t(`group-${group}`)} className="px-3 pt-1 pb-3">
                    <Group {...props} group={group} />
                  </div>
                )}
              </div>
            );
          })}
        </div>
      )}
    </section>
  );
});

function Group({
  group,
  details,
  currency,
  country,
  standardRate,
  isDisabled,
  dispatch,
}: DocumentDetailsProps & { group: DocumentGroup }): ReactNode {
  const localizer = useLocalizer();
  const { t, locale } = localizer;
  const onFieldChange = useCallback((path: string, text: string) => dispatch({ type: "fieldChanged", path, text }), [dispatch]);
  const common = { onFieldChange, isDisabled };
  const { period, references, payment } = details;
  switch (group) {
    case "references":
      return (
        <div className="detail-grid">
          {(Object.keys(references) as (keyof typeof references)[]).map((name) => (
            <DetailText key={name} {...common} path={`details.references.${name}`} value={references[name]} />
          ))}
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
        <div className="detail-grid">
          <DetailChoice
            {...common}
            path="details.payment.code"
            value={payment.code}
            choices={paymentMeansChoices(payment.code, localizer)}
          />
          <DetailText
            {...common}
            path="details.payment.account"
            value={payment.account}
            numeric
            className="detail-wide"
            hint={isMistypedIban(payment.account) ? t("iban-mistyped") : undefined}
          />
          <DetailText {...common} path="details.payment.accountName" value={payment.accountName} />
          <DetailText {...common} path="details.payment.provider" value={payment.provider} numeric />
          <DetailText {...common} path="details.payment.remittance" value={payment.remittance} />
          <DetailText {...common} path="details.paymentTerms" value={details.paymentTerms} multiline className="detail-row" />
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
          <DetailChoice
            {...common}
            path="details.taxCurrency"
            value={details.taxCurrency}
            choices={[{ id: "", label: t("same-currency"), detail: currency }, ...currencies(locale, details.taxCurrency)]}
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
    case "prepaid":
      return (
        <div className="detail-grid">
          <DetailText {...common} path="details.prepaid" value={details.prepaid} numeric />
          <DetailText {...common} path="details.rounding" value={details.rounding} numeric hint={t("rounding-hint")} />
        </div>
      );
  }
}
