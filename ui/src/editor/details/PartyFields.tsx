/** Fields that parties and places share: identifiers with their schemes, names in both languages, addresses. */

import { useMemo } from "react";
import { useLocalizer } from "../../i18n/LocalizerProvider";
import type { AddressContent, IdentifierContent, LocalizedText } from "../../ipc/bindings";
import { countries, noneChoice } from "../codeLists";
import { DetailChoice, type DetailFieldProps, DetailText } from "./DetailField";
import { ADDRESS_FIELDS } from "./detailFields";

type Common = Pick<DetailFieldProps, "path" | "onFieldChange" | "isDisabled">;

/** `hint`: the list of the codes of its scheme. */
export function IdentifierFields({ path, value, hint, ...common }: Common & { value: IdentifierContent; hint: string }) {
  return (
    <>
      <DetailText {...common} path={`${path}.value`} value={value.value} numeric />
      <DetailText
        {...common}
        path={`${path}.scheme`}
        value={value.scheme}
        numeric
        hint={value.value !== "" && value.scheme === "" ? hint : undefined}
      />
    </>
  );
}

/** The language of the window first. */
export function TextFields({ path, value, ...common }: Common & { value: LocalizedText }) {
  const { language } = useLocalizer();
  const order = language === "ar" ? (["ar", "en"] as const) : (["en", "ar"] as const);
  return order.map((each) => (
    <DetailText
      key={each}
      {...common}
      path={`${path}.${each}`}
      value={value[each]}
      dir={each === "ar" ? "rtl" : "ltr"}
      className="detail-wide"
    />
  ));
}

export function CountryField(props: DetailFieldProps) {
  const localizer = useLocalizer();
  const choices = useMemo(() => [noneChoice(localizer), ...countries(localizer)], [localizer]);
  return <DetailChoice {...props} choices={choices} />;
}

const NUMERIC: ReadonlySet<string> = new Set(["building", "postalCode", "additionalNumber"]);
const WIDE: ReadonlySet<string> = new Set(["street", "additionalStreet", "thirdLine"]);

export function AddressFields({ path, value, ...common }: Common & { value: AddressContent }) {
  return ADDRESS_FIELDS.map((name) => {
    const field = { ...common, path: `${path}.${name}`, value: value[name] };
    return name === "country" ? (
      <CountryField key={name} {...field} />
    ) : (
      <DetailText key={name} {...field} numeric={NUMERIC.has(name)} className={WIDE.has(name) ? "detail-wide" : ""} />
    );
  });
}
