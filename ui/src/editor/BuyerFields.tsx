/** Who pays: name in one or both languages, tax id, address. */

import { useMemo } from "react";
import { TextField } from "../parts/Field";
import { Select } from "../parts/Select";
import { useWords } from "../words/WordsProvider";
import { countries } from "./codes";
import { type FieldsProps, Place } from "./HeaderFields";
import { textAt } from "./paths";

export function BuyerFields({ content, typed, isDisabled }: FieldsProps) {
  const { t, locale, language } = useWords();
  const choices = useMemo(() => countries(locale), [locale]);
  const text = (path: string, label: string, options: { figures?: boolean; dir?: "ltr" | "rtl"; className?: string } = {}) => (
    <Place field={path} {...(options.className ? { className: options.className } : {})}>
      <TextField
        label={label}
        name={path}
        value={textAt(content, path)}
        onChange={(value) => typed(path, value)}
        isDisabled={isDisabled}
        figures={options.figures ?? false}
        {...(options.dir ? { dir: options.dir } : {})}
      />
    </Place>
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
        {text("buyer.taxId", t("field-tax-id"), { figures: true })}
        <Place field="buyer.country">
          <Select
            label={t("field-country")}
            name="buyer.country"
            value={content.buyer.country}
            choices={choices}
            onChange={(value) => typed("buyer.country", value)}
            isDisabled={isDisabled}
          />
        </Place>
        {text("buyer.building", t("field-building"), { figures: true })}
        {text("buyer.street", t("field-street"), { className: "col-span-2" })}
        {text("buyer.district", t("field-district"))}
        {text("buyer.city", t("field-city"))}
        {text("buyer.postalCode", t("field-postal-code"), { figures: true })}
      </div>
    </section>
  );
}
