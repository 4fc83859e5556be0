/** The lines of a content: new ones, tax categories, units. */

import type { LineContent } from "../ipc/bindings";

/** UNCL5305 as the service takes it. */
export const taxCategories = ["S", "Z", "E", "O", "AE", "G"] as const;
export type TaxCategory = (typeof taxCategories)[number];

/** UN/ECE Recommendation 20 codes that an invoice of goods or services mostly needs. */
export const units = ["C62", "HUR", "DAY", "MON", "KGM", "TNE", "LTR", "MTR", "MTK", "MTQ", "KMT", "SET", "BX"] as const;

/** The Saudi standard rate; the service and its rules judge what is typed. */
const STANDARD_RATE = "15";

/** An empty line, taxed as the one before it. */
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

/** The line in another tax category, with the rate that the category has. */
export function withTaxCategory(line: LineContent, taxCategory: string): LineContent {
  if (taxCategory === line.taxCategory) return line;
  const taxRate = taxCategory === "S" ? STANDARD_RATE : taxCategory === "O" ? "" : "0";
  return { ...line, taxCategory, taxRate, exemptionCode: "" };
}
