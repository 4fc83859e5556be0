/** Fields of the buyer: name in both languages, tax id, address. */

import { type Dispatch, memo, useMemo, useState } from "react";
import { TextField } from "../components/Field";
import { Select } from "../components/Select";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { InvoiceContent, Language, PartyView } from "../ipc/bindings";
import { BuyerDoubtNotice } from "./BuyerDoubtNotice";
import { BuyerNameField } from "./BuyerNameField";
import { countries } from "./codeLists";
import { BuyerMore } from "./details/BuyerMore";
import { buyerDetailsOf } from "./details/detailFields";
import type { EditorAction } from "./draftReducer";
import { FieldAnchor, type FieldsProps } from "./HeaderFields";
import { KnownBuyerNotice } from "./KnownBuyerNotice";
import { getText } from "./paths";
import { useSettled } from "./useSettled";

export interface BuyerFieldsProps extends Omit<FieldsProps, "content"> {
  buyer: InvoiceContent["buyer"];
  /** A remembered buyer was chosen. */
  onParty: (party: PartyView) => void;
  /** The buyer is remembered as it was typed. */
  onKept: (party: PartyView) => void;
  /** The one that was chosen or kept last. */
  chosen: PartyView | null;
  /** Of the seller, ISO 3166-1 alpha-2; empty if it is not known. */
  country: string;
  /** How many errors its rarely used fields have. */
  errors: number;
  dispatch: Dispatch<EditorAction>;
}

/** Not rendered by typing in a line: its list of countries is many elements. */
export const BuyerFields = memo(function BuyerFields(props: BuyerFieldsProps) {
  const { buyer, onFieldChange, isDisabled, onParty, onKept, chosen, country, errors, dispatch } = props;
  const localizer = useLocalizer();
  const { t, language } = localizer;
  const choices = useMemo(() => countries(localizer), [localizer]);
  // The buyer when one of its fields was left last: what is being typed is not looked up.
  const [lastLeft, setLastLeft] = useState<InvoiceContent["buyer"] | null>(null);
  // A notice that came at once would move the lines under a click that has left the field.
  const settled = useSettled(lastLeft);
  const text = (path: string, label: string, options: { numeric?: boolean; className?: string } = {}) => (
    <FieldAnchor field={path} {...(options.className ? { className: options.className } : {})}>
      <TextField
        label={label}
        name={path}
        value={getText({ buyer }, path)}
        onChange={(value) => onFieldChange(path, value)}
        isDisabled={isDisabled}
        numeric={options.numeric ?? false}
      />
    </FieldAnchor>
  );
  const name = (each: Language) => (
    <BuyerNameField
      language={each}
      text={buyer.name[each]}
      onChange={(typed) => onFieldChange(`buyer.name.${each}`, typed)}
      onParty={onParty}
      isDisabled={isDisabled}
    />
  );
  return (
    // The section only hears which of its fields is left.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <section data-region="" aria-labelledby="section-buyer" onBlur={() => setLastLeft(buyer)} className="flex flex-col gap-2">
      <h2 id="section-buyer" className="font-semibold">
        {t("section-buyer")}
      </h2>
      <div className="buyer-fields flex flex-col gap-3">
        <div className="buyer-party">
          <div className="buyer-name">{name(language)}</div>
          <div className="buyer-name">{name(language === "ar" ? "en" : "ar")}</div>
          {text("buyer.taxId", t("field-tax-id"), { numeric: true })}
          <FieldAnchor field="buyer.country">
            <Select
              label={t("field-country")}
              name="buyer.country"
              value={buyer.country}
              choices={choices}
              onChange={(value) => onFieldChange("buyer.country", value)}
              isDisabled={isDisabled}
            />
          </FieldAnchor>
        </div>
        <div className="buyer-address">
          {text("buyer.building", t("field-building"), { numeric: true })}
          {text("buyer.street", t("field-street"), { className: "buyer-street" })}
          {text("buyer.district", t("field-district"))}
          {text("buyer.city", t("field-city"))}
          {text("buyer.postalCode", t("field-postal-code"), { numeric: true })}
        </div>
      </div>
      <BuyerMore
        details={buyerDetailsOf(buyer)}
        country={country}
        errors={errors}
        onFieldChange={onFieldChange}
        isDisabled={isDisabled}
        dispatch={dispatch}
      />
      {!isDisabled && <KnownBuyerNotice buyer={buyer} chosen={chosen} onParty={onParty} onKept={onKept} />}
      {!isDisabled && settled && <BuyerDoubtNotice buyer={buyer} typed={settled} />}
    </section>
  );
});
