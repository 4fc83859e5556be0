/** Fields of the buyer: name in both languages, tax id, address. */

import { useMemo } from "react";
import { TextField } from "../components/Field";
import { Select } from "../components/Select";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { countries } from "./codeLists";
import { FieldAnchor, type FieldsProps } from "./HeaderFields";
import { getText } from "./paths";

export function BuyerFields({ content, onFieldChange, isDisabled }: FieldsProps) {
  const { t, locale, language } = useLocalizer();
  const choices = useMemo(() => countries(locale), [locale]);
  const text = (path: string, label: string, options: { numeric?: boolean; dir?: "ltr" | "rtl"; className?: string } = {}) => (
    <FieldAnchor field={path} {...(options.className ? { className: options.className } : {})}>
      <TextField
        label={label}
        name={path}
        value={getText(content, path)}
        onChange={(value) => onFieldChange(path, value)}
        isDisabled={isDisabled}
        numeric={options.numeric ?? false}
        {...(options.dir ? { dir: options.dir } : {})}
      />
    </FieldAnchor>
  );
  const arabic = text("buyer.name.ar", t("field-buyer-name-ar"), { dir: "rtl" });
  const english = text("buyer.name.en", t("field-buyer-name-en"), { dir: "ltr" });
  return (
    <section aria-labelledby="section-buyer" className="flex flex-col gap-2">
      <h2 id="section-buyer" className="font-semibold">
        {t("section-buyer")}
      </h2>
      <div className="grid grid-cols-6 gap-3 max-narrow:grid-cols-2">
        <div className="col-span-2">{language === "ar" ? arabic : english}</div>
        <div className="col-span-2">{language === "ar" ? english : arabic}</div>
        {text("buyer.taxId", t("field-tax-id"), { numeric: true })}
        <FieldAnchor field="buyer.country">
          <Select
            label={t("field-country")}
            name="buyer.country"
            value={content.buyer.country}
            choices={choices}
            onChange={(value) => onFieldChange("buyer.country", value)}
            isDisabled={isDisabled}
          />
        </FieldAnchor>
        {text("buyer.building", t("field-building"), { numeric: true })}
        {text("buyer.street", t("field-street"), { className: "col-span-2" })}
        {text("buyer.district", t("field-district"))}
        {text("buyer.city", t("field-city"))}
        {text("buyer.postalCode", t("field-postal-code"), { numeric: true })}
      </div>
    </section>
  );
}
