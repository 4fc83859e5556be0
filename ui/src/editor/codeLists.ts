/** Lists of codes: what is offered first, all that the rules accept, and their names. Countries with localized names. */

import type { Choice } from "../components/Select";
import type { Localizer } from "../i18n/localizer";
import { countryCodes, currencyCodes, taxCategoryCodes, unitCodes } from "../ipc/invoiceCodes";
import { unitWords } from "./units";

/** The codes of a field. */
export interface CodeList {
  /** Those that are offered first. */
  common: readonly string[];
  /** All that the rules accept, separated by spaces. */
  all: string;
  /** The name of a code; empty if it has none here. */
  nameOf: (code: string, localizer: Localizer) => string;
  /** Other words by which a code is found, in both languages. */
  wordsOf?: (code: string) => readonly string[];
  /** The code stands before its name. */
  codeFirst?: boolean;
  /** The form of the codes that the rules of some countries accept beside these. */
  others?: RegExp | undefined;
}

/** Common codes of UN/ECE Recommendation 20, and of Recommendation 21 with an X before it: a box is XBX (BR-CL-23). */
export const unitList: CodeList = {
  common: [
    "C62",
    "HUR",
    "MIN",
    "DAY",
    "WEE",
    "MON",
    "ANN",
    "KGM",
    "GRM",
    "TNE",
    "LTR",
    "MTR",
    "MTK",
    "MTQ",
    "KMT",
    "KWH",
    "SET",
    "XBX",
    "XPX",
  ],
  all: unitCodes,
  nameOf: (code, localizer) => textOf(`unit-${code}`, localizer),
  wordsOf: (code) => unitWords[code] ?? [],
  // Saudi Arabia and its neighbours check the form of a unit alone.
  others: /^[0-9A-Z]{1,3}$/,
};

/** Currencies of the region and of its main trading partners first. */
export const currencyList: CodeList = {
  common: [
    "SAR",
    "AED",
    "KWD",
    "BHD",
    "OMR",
    "QAR",
    "JOD",
    "EGP",
    "IQD",
    "USD",
    "EUR",
    "GBP",
    "CHF",
    "TRY",
    "INR",
    "PKR",
    "CNY",
    "JPY",
  ],
  all: currencyCodes,
  nameOf: (code, { locale }) => nameIn("currency", locale, code) ?? "",
  codeFirst: true,
};

/** The categories of single countries and of the European Union come last. */
export const taxCategoryList: CodeList = {
  common: ["S", "Z", "E", "O", "AE", "G"],
  all: taxCategoryCodes,
  nameOf: (code, localizer) => textOf(`tax-category-${code}`, localizer),
};

/** A text whose id is only known at run time; empty if there is none. */
export function textOf(id: string, { t, has }: Localizer): string {
  return has(id) ? t(id) : "";
}

/** The name of a code; the code itself if it has none. */
export function codeText(list: CodeList, code: string, localizer: Localizer): string {
  return list.nameOf(code, localizer) || code;
}

/** A code with its name. */
export function choiceOf(list: CodeList, code: string, localizer: Localizer): Choice<string> {
  const name = list.nameOf(code, localizer);
  if (name === "") return { id: code, label: code };
  return list.codeFirst ? { id: code, label: code, detail: name } : { id: code, label: name, detail: code };
}

/** What is offered at once: the common codes, after the current one if that is another. */
export function commonChoices(list: CodeList, current: string, localizer: Localizer): Choice<string>[] {
  const codes = current === "" || list.common.includes(current) ? list.common : [current, ...list.common];
  return codes.map((code) => choiceOf(list, code, localizer));
}

/** Whether there are codes beside the common ones. */
export function hasOthers({ common, all, others }: CodeList): boolean {
  return others !== undefined || all.length > common.join(" ").length;
}

/** The choice of no code. */
export function noneChoice({ t }: Localizer): Choice<string> {
  return { id: "", label: t("none-chosen") };
}

/** ISO 3166-1 alpha-2 codes that are offered first. */
const REGION = ["SA", "AE", "KW", "BH", "OM", "QA", "JO", "EG"];

/** First the region, then the others by name. */
export function countries(localizer: Localizer): Choice<string>[] {
  const toChoices = (codes: readonly string[]) =>
    codes.map((code) => ({ id: code, label: countryName(localizer, code), detail: code }));
  const others = countryCodes.split(" ").filter((code) => !REGION.includes(code));
  const byName = new Intl.Collator(localizer.locale);
  return [...toChoices(REGION), ...toChoices(others).toSorted((a, b) => byName.compare(a.label, b.label))];
}

/** The name of a country; of one that is not known, its code. */
export function countryName({ t, locale }: Localizer, code: string): string {
  // Two codes of invoices that are not those of the names (BR-CL-14).
  if (code === "XI") return t("country-XI");
  return nameIn("region", locale, code === "1A" ? "XK" : code) ?? code;
}

/** Each takes longer to make than to ask. */
const displayNames = new Map<string, Intl.DisplayNames>();

/** The name that the system has for a code; `null` if it has none. */
function nameIn(type: "currency" | "region", locale: string, code: string): string | null {
  const key = `${type} ${locale}`;
  const names = displayNames.get(key) ?? new Intl.DisplayNames(locale, { type, fallback: "none" });
  displayNames.set(key, names);
  try {
    return names.of(code) ?? null;
  } catch {
    return null;
  }
}
