/** Lines of an invoice: defaults of a new line, tax categories, units. */

import type { LineContent } from "../ipc/bindings";

/** Codes of UNCL5305 that the service accepts. */
export const taxCategories = ["S", "Z", "E", "O", "AE", "G"] as const;
export type TaxCategory = (typeof taxCategories)[number];

/** Common codes of UN/ECE Recommendation 20. */
export const units = ["C62", "HUR", "DAY", "MON", "KGM", "TNE", "LTR", "MTR", "MTK", "MTQ", "KMT", "SET", "BX"] as const;

/** Standard VAT rate of Saudi Arabia. The validation rules check the rate that is entered. */
const STANDARD_RATE = "15";

/** An empty line with the tax of the line before it. */
export function newLine(before: LineContent | undefined): LineContent {
  return {
    description: { ar: "", en: "" },
    quantity: "1",
    unit: before?.unit || "C62",
    unitPrice: "",
    taxCategory: before?.taxCategory || "S",
    taxRate: before ? before.taxRate : STANDARD_RATE,
    exemptionCode: before?.exemptionCode ?? "",
  };
}

/** The line with another tax category and the default rate of that category. */
export function withTaxCategory(line: LineContent, taxCategory: string): LineContent {
  if (taxCategory === line.taxCategory) return line;
  const taxRate = taxCategory === "S" ? STANDARD_RATE : taxCategory === "O" ? "" : "0";
  return { ...line, taxCategory, taxRate, exemptionCode: "" };
}
