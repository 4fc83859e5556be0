/** The rarely used fields of the buyer, folded below the others. */

import { type Dispatch, useId, useState } from "react";
import { useLocalizer } from "../../i18n/LocalizerProvider";
import type { BuyerDetails, IdentifierContent } from "../../ipc/bindings";
import type { EditorAction } from "../draftReducer";
import { DetailChoice, DetailText } from "./DetailField";
import { EntryList } from "./EntryList";
import { FieldGroup } from "./FieldGroup";
import { Fold } from "./Fold";
import { buyerFacts, factTexts } from "./facts";
import { IdentifierFields, TextFields } from "./PartyFields";
import { identifierSchemeChoices } from "./reasonCodes";
import { useUnfolded } from "./useUnfolded";

export interface BuyerMoreProps {
  details: BuyerDetails;
  /** Of the seller, ISO 3166-1 alpha-2: Saudi Arabia has a list of identifiers. */
  country: string;
  errors: number;
  onFieldChange: (path: string, text: string) => void;
  isDisabled: boolean;
  dispatch: Dispatch<EditorAction>;
}

/** The name of the fold, under which it is remembered. */
const BUYER = "buyer";

export function BuyerMore({ details, country, errors, onFieldChange, isDisabled, dispatch }: BuyerMoreProps) {
  const localizer = useLocalizer();
  const { t } = localizer;
  const id = useId();
  const held = factTexts(buyerFacts(details, localizer));
  const [heldAtFirst] = useState(() => new Set<string>(held.length > 0 ? [BUYER] : []));
  const { isOpen, setOpen } = useUnfolded(heldAtFirst);
  const open = isOpen(BUYER, errors);
  const common = { onFieldChange, isDisabled };
  const path = "buyer.details";
  const text = (name: "additionalStreet" | "thirdLine" | "additionalNumber" | "region") => ({
    ...common,
    path: `${path}.${name}`,
    value: details[name],
  });
  const contact = (name: keyof BuyerDetails["contact"]) => ({
    ...common,
    path: `${path}.contact.${name}`,
    value: details.contact[name],
  });
  return (
    <div className="flex flex-col">
      <Fold
        label={t("more-buyer")}
        controls={id}
        held={held}
        errors={errors}
        isOpen={open}
        onOpenChange={(wanted) => setOpen(BUYER, wanted)}
      />
      {open && (
        <div id={id} role="group" aria-label={t("more-buyer")} className="flex flex-col gap-3 px-3 pt-1 pb-1">
          <EntryList<IdentifierContent>
            path={`${path}.otherIds`}
            entries={details.otherIds}
            empty={{ scheme: country === "SA" ? "CRN" : "", value: "" }}
            addLabel={t("add-identifier")}
            firstField="scheme"
            namedBy="value"
            isDisabled={isDisabled}
            dispatch={dispatch}
          >
            {(entry, at) => (
              <>
                {country === "SA" ? (
                  <DetailChoice
                    {...common}
                    path={`${at}.scheme`}
                    value={entry.scheme}
                    choices={identifierSchemeChoices(entry.scheme, localizer)}
                    className="detail-wide"
                  />
                ) : (
                  <DetailText {...common} path={`${at}.scheme`} value={entry.scheme} numeric hint={t("icd-hint")} />
                )}
                <DetailText {...common} path={`${at}.value`} value={entry.value} numeric className="detail-wide" />
              </>
            )}
          </EntryList>
          <div className="detail-grid">
            <IdentifierFields {...common} path={`${path}.legalId`} value={details.legalId} hint={t("icd-hint")} />
            <IdentifierFields
              {...common}
              path={`${path}.electronicAddress`}
              value={details.electronicAddress}
              hint={t("address-scheme-hint")}
            />
            <TextFields {...common} path={`${path}.tradingName`} value={details.tradingName} />
          </div>
          <FieldGroup title={t("heading-contact")}>
            <div className="detail-grid">
              <DetailText {...contact("name")} />
              <DetailText {...contact("phone")} numeric />
              <DetailText {...contact("email")} dir="ltr" className="detail-wide" />
            </div>
          </FieldGroup>
          <FieldGroup title={t("heading-address")}>
            <div className="detail-grid">
              <DetailText {...text("additionalStreet")} className="detail-wide" />
              <DetailText {...text("thirdLine")} className="detail-wide" />
              <DetailText {...text("additionalNumber")} numeric />
              <DetailText {...text("region")} />
            </div>
          </FieldGroup>
        </div>
      )}
    </div>
  );
}
