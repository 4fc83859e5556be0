/** The names of amounts and operands in an explanation, and what of it is shown. */

import { minorUnits } from "../../i18n/format";
import type { Localizer } from "../../i18n/localizer";
import { taxRateText } from "../../i18n/taxText";
import type { ExplanationInput, ExplanationStep, InvoiceContent, TaxRow } from "../../ipc/bindings";
import { detailsOf, lineDetailsOf } from "./detailFields";

export interface Explained {
  content: InvoiceContent;
  taxBreakdown: readonly TaxRow[];
}

const TOTALS = ["lines", "allowances", "charges", "net", "tax", "gross", "payable", "taxInTaxCurrency"] as const;

/** What an amount or operand is called. */
export function amountName(path: string, { content, taxBreakdown }: Explained, localizer: Localizer): string {
  const { t, format } = localizer;
  const total = TOTALS.find((name) => path === `totals.${name}`);
  if (total) return t(`amount-${total}`);
  const [, row, of] = /^taxBreakdown\[(\d+)\]\.(\w+)$/.exec(path) ?? [];
  if (row !== undefined) {
    if (of === "rate") return t("amount-rate");
    const tax = taxRateText(taxBreakdown[Number(row)] ?? { category: "", rate: "" }, localizer);
    return t(of === "taxable" ? "amount-taxable" : "amount-row-tax", { tax });
  }
  const [, line, rest = path] = /^lines\[(\d+)\]\.(.+)$/.exec(path) ?? [];
  const number = line === undefined ? "" : format.integer(Number(line) + 1);
  if (line !== undefined && rest === "net") return t("amount-line", { line: number });
  const [, at, part] = /^allowancesCharges\[(\d+)\]\.(\w+)$/.exec(rest) ?? [];
  if (at !== undefined && part === "amount") {
    const owner = line === undefined ? detailsOf(content) : lineDetailsOf(content.lines[Number(line)] ?? {});
    const kind = owner.allowancesCharges[Number(at)]?.kind;
    const name = t("amount-item", {
      kind: t(kind === undefined ? "kind-of-item-any" : `part-${kind}`),
      item: format.integer(Number(at) + 1),
    });
    return line === undefined ? name : t("amount-of-line", { amount: name, line: number });
  }
  return operandName(part ?? rest, localizer);
}

function operandName(name: string, { t }: Localizer): string {
  switch (name) {
    case "quantity":
      return t("field-quantity");
    case "unitPrice":
      return t("field-unit-price");
    case "priceBase":
      return t("part-price-base");
    case "base":
      return t("field-base");
    case "percent":
      return t("field-percent");
    case "exchangeRate":
      return t("part-exchange-rate");
    case "prepaid":
      return t("part-prepaid");
    case "rounding":
      return t("part-rounding");
    default:
      return name;
  }
}

/** The value of an operand. Quantities, rates and percentages have no currency. */
export function operandValue({ path, operation, value }: ExplanationInput, currency: string, { format }: Localizer): string {
  if (operation === "timesPercent") return format.percent(value);
  return /(?:quantity|priceBase|exchangeRate)$/.test(path) ? format.decimal(value) : format.amount(value, currency);
}

/** The operands that change the result: an empty allowance or a payment of zero says nothing. */
export function shownInputs({ inputs }: ExplanationStep): ExplanationInput[] {
  const shown = inputs.filter(({ operation, value }, index) => {
    const isSum = operation === "plus" || operation === "minus";
    return index === 0 || !isSum || /[1-9]/.test(value);
  });
  return shown;
}

/** The digits before rounding, if rounding took any away. */
export function roundedDigits({ unrounded, unroundedIsExact }: ExplanationStep, currency: string): string | null {
  if (unrounded === null) return null;
  const fraction = (unrounded.split(".")[1] ?? "").replace(/0+$/, "");
  return !unroundedIsExact || fraction.length > minorUnits(currency) ? unrounded : null;
}
