/** Tax categories and rates in words. Only the standard rate needs none: its rate says it. */

import type { Localizer } from "./localizer";

const STANDARD = "S";

/** A category with its rate, as codes of UNTDID 5305 and a decimal. */
export interface CategoryAndRate {
  category: string;
  rate: string;
}

/** The words of a category; the code of one that this version does not know. */
export function taxCategoryText(category: string, { t, has }: Localizer): string {
  const name = `tax-category-${category}`;
  return has(name) ? t(name) : category;
}

/** As `15 %`, `Zero rate` or `Canary Islands (IGIC) 7 %`: a rate of zero is said by its category. */
export function taxRateText({ category, rate }: CategoryAndRate, localizer: Localizer): string {
  const percent = rate === "" ? "" : localizer.format.percent(rate);
  if (category === STANDARD && percent !== "") return percent;
  const words = taxCategoryText(category, localizer);
  return /[1-9]/.test(rate) ? localizer.t("tax-category-rate", { category: words, rate: percent }) : words;
}

/** As `VAT 15 %` or `VAT: Zero rate`: what an amount of tax is called. */
export function taxName(tax: CategoryAndRate, localizer: Localizer): string {
  const rate = taxRateText(tax, localizer);
  return tax.category === STANDARD ? localizer.t("tax-of", { rate }) : localizer.t("tax-of-category", { rate });
}
