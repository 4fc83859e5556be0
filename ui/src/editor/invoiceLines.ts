/** Lines of an invoice: defaults of a new line, and of a tax category. */

import type { InvoiceContent, LineContent } from "../ipc/bindings";
import { detailsOf, emptyLineDetails, hasNoLineDetails, lineDetailsOf } from "./details/detailFields";

/**
 * Standard VAT rates of the region by the currency of the organization, in percent. `null`: the country has no VAT. The
 * validation rules check the rate that is entered.
 */
const STANDARD_RATES: Readonly<Record<string, string | null>> = {
  SAR: "15",
  AED: "5",
  BHD: "10",
  OMR: "5",
  JOD: "16",
  EGP: "14",
  KWD: null,
  QAR: null,
};

/** The standard rate where an organization keeps its accounts in `currency`; empty if it is not known here. */
export function standardRateOf(currency: string): string | null {
  return currency in STANDARD_RATES ? (STANDARD_RATES[currency] ?? null) : "";
}

/** VATEX code of what no VAT applies to (BR-O-10 asks for a reason). */
const OUT_OF_SCOPE = "VATEX-EU-O";

/** An empty line with the tax of the line before it. */
export function newLine(before: LineContent | undefined, standardRate: string | null): LineContent {
  return {
    id: "",
    details: emptyLineDetails,
    description: { ar: "", en: "" },
    quantity: "1",
    unit: before?.unit || "C62",
    unitPrice: "",
    taxCategory: before?.taxCategory || (standardRate === null ? "O" : "S"),
    taxRate: before ? before.taxRate : (standardRate ?? ""),
    exemptionCode: before ? before.exemptionCode : standardRate === null ? OUT_OF_SCOPE : "",
  };
}

/** Whether nothing was typed into a line: goods, price and details. Its tax and unit may be those of the line before. */
export function isEmptyLine(line: LineContent | undefined): boolean {
  if (!line) return false;
  const { description, quantity, unitPrice } = line;
  return (
    [description.ar, description.en, unitPrice].every((text) => text === "") &&
    (quantity === "" || quantity === "1") &&
    hasNoLineDetails(line)
  );
}

/**
 * The content without the lines at its end in which nothing was typed, as Enter in the last line adds one: they are no mistake. The first
 * line stays, and so does one that the service has, which is not removed by emptying it.
 */
export function withoutEmptyEnd(content: InvoiceContent): InvoiceContent {
  const { lines } = content;
  const last = lines.findLastIndex((line, index) => index === 0 || line.id || !isEmptyLine(line));
  return last === lines.length - 1 ? content : { ...content, lines: lines.slice(0, last + 1) };
}

/** Whether a line, allowance or charge shows why no tax is charged. At the standard rate only to take a reason away, which a file may have. */
export function hasExemption({ taxCategory, exemptionCode }: Pick<LineContent, "taxCategory" | "exemptionCode">): boolean {
  return taxCategory !== "S" || exemptionCode !== "";
}

/** Where pasted lines begin: at the line with the cursor if it is empty, else after it. */
export function pastedLineIndex(lines: readonly LineContent[], cursor: number): number {
  return isEmptyLine(lines[cursor]) ? cursor : Math.min(cursor + 1, lines.length);
}

/** What totals lack: quantity or price of a line, or both amount and percentage of an allowance or charge. */
export type MissingAmount = "line" | "item";

export function missingAmount(content: InvoiceContent): MissingAmount | null {
  const { lines } = withoutEmptyEnd(content);
  if (lines.length === 0 || lines.some(({ quantity, unitPrice }) => quantity === "" || unitPrice === "")) return "line";
  const items = [detailsOf(content), ...lines.map(lineDetailsOf)].flatMap(({ allowancesCharges }) => allowancesCharges);
  return items.some(({ amount, percent }) => amount === "" && percent === "") ? "item" : null;
}

/** Categories with rates that are not known here: outside the scope of tax there is none, and three have those of single countries. */
const WITHOUT_DEFAULT_RATE: ReadonlySet<string> = new Set(["O", "L", "M", "B"]);

/** The line, allowance or charge with another tax category and the default rate of that category. */
export function withTaxCategory<Taxed extends Pick<LineContent, "taxCategory" | "taxRate" | "exemptionCode">>(
  line: Taxed,
  taxCategory: string,
  standardRate: string | null,
): Taxed {
  if (taxCategory === line.taxCategory) return line;
  const taxRate = taxCategory === "S" ? (standardRate ?? "") : WITHOUT_DEFAULT_RATE.has(taxCategory) ? "" : "0";
  return { ...line, taxCategory, taxRate, exemptionCode: taxCategory === "O" && standardRate === null ? OUT_OF_SCOPE : "" };
}
