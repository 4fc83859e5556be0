/** Currencies and countries to choose from, with localized names. */

import type { Choice } from "../components/Select";

/** Currencies of the region and of its main trading partners. The currency of a document is added if it is missing. */
const CURRENCIES = ["SAR", "AED", "KWD", "BHD", "OMR", "QAR", "JOD", "EGP", "USD", "EUR", "GBP"];

/** ISO 3166-1 alpha-2 codes: first the region, then the others by name. */
const REGION = ["SA", "AE", "KW", "BH", "OM", "QA", "JO", "EG"];
const COUNTRIES =
  "AD AF AG AL AM AO AR AT AU AZ BA BB BD BE BF BG BI BJ BN BO BR BS BT BW BY BZ CA CD CF CG CH CI CL CM CN CO CR CU CV CY CZ DE DJ DK DM DO DZ EC EE ER ES ET FI FJ FR GA GB GD GE GH GM GN GR GT GW GY HK HN HR HT HU ID IE IN IQ IR IS IT JM JP KE KG KH KM KR KZ LA LB LI LK LR LS LT LU LV LY MA MC MD ME MG MK ML MM MN MR MT MU MV MW MX MY MZ NA NE NG NI NL NO NP NZ PA PE PG PH PK PL PS PT PY RO RS RU RW SB SC SD SE SG SI SK SL SM SN SO SR SS SV SY SZ TD TG TH TJ TL TM TN TR TT TW TZ UA UG US UY UZ VE VN VU WS YE ZA ZM ZW".split(
    " ",
  );

export function currencies(locale: string, current: string): Choice<string>[] {
  const names = new Intl.DisplayNames(locale, { type: "currency" });
  const codes = current === "" || CURRENCIES.includes(current) ? CURRENCIES : [current, ...CURRENCIES];
  return codes.map((code) => ({ id: code, label: code, detail: displayName(names, code) }));
}

export function countries(locale: string): Choice<string>[] {
  const names = new Intl.DisplayNames(locale, { type: "region" });
  const toChoices = (codes: readonly string[]) =>
    codes.map((code) => ({ id: code, label: displayName(names, code), detail: code }));
  const byName = new Intl.Collator(locale);
  return [...toChoices(REGION), ...toChoices(COUNTRIES).toSorted((a, b) => byName.compare(a.label, b.label))];
}

/** The name of a country; of one that is not known, its code. */
export function countryName(locale: string, code: string): string {
  return displayName(new Intl.DisplayNames(locale, { type: "region" }), code);
}

function displayName(names: Intl.DisplayNames, code: string): string {
  try {
    return names.of(code) ?? code;
  } catch {
    return code;
  }
}
