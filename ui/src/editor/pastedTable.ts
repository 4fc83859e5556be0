/** Cells pasted from a spreadsheet: which column is which field, and the lines that they become. */

import type { LineContent } from "../ipc/bindings";

export type PastedLine = Partial<Pick<LineContent, "quantity" | "unit" | "unitPrice" | "taxRate" | "description">>;

export const pastedFields = ["description", "quantity", "unit", "unitPrice", "taxRate", "ignored"] as const;
export type PastedField = (typeof pastedFields)[number];

export interface PastedTable {
  /** All rows have the same number of cells. */
  rows: readonly (readonly string[])[];
  /** Whether the first row names the columns. */
  hasHeader: boolean;
  /** The field of each column, as its header or its values suggest. */
  fields: readonly PastedField[];
}

/** Words of headers, without spaces and in lower case. The first match counts. */
const HEADERS: readonly [PastedField, RegExp][] = [
  [
    "ignored",
    /^(#|no\.?|code|sku|itemcode|itemno\.?|total|amount|net|linetotal|subtotal|م|الرمز|رمز.*|الكود|كود.*|رقم.*|الإجمالي|الاجمالي|المجموع|الصافي)$/,
  ],
  ["unitPrice", /^(unitprice|price|rate|unitcost|cost|سعرالوحدة|السعر|سعر)$/],
  ["taxRate", /^(tax|vat|taxrate|vatrate|tax%|vat%|الضريبة|نسبةالضريبة|ضريبة)$/],
  ["quantity", /^(quantity|qty\.?|count|hours|الكمية|كمية|العدد|عدد)$/],
  ["unit", /^(unit|uom|unitofmeasure|الوحدة|وحدة)$/],
  [
    "description",
    /^(description|desc\.?|item|itemname|product|service|details?|name|الوصف|وصف|البيان|بيان|الصنف|صنف|البند|المنتج|الخدمة|الاسم)$/,
  ],
];

/** Digits of either script, separators, a sign, percent. */
const NUMBER = /^[-+(]?[\d٠-٩۰-۹][\d٠-٩۰-۹\s.,٫٬'’]*\)?\s*[%٪]?$/u;
/** Currency codes and symbols beside a number. */
const CURRENCY = /^(?:[A-Z]{3}|ر\.?\s?س\.?|[$€£﷼])\s*|\s*(?:[A-Z]{3}|ر\.?\s?س\.?|[$€£﷼])$/gu;
const ARABIC = /\p{Script=Arabic}/u;

/** The table in a text of the clipboard, or `null` if the text belongs in a single cell. */
export function parsePastedTable(text: string, unitOf: (text: string) => string | null): PastedTable | null {
  const rows = parseCells(text).filter((row) => row.some((cell) => cell !== ""));
  const width = Math.max(0, ...rows.map((row) => row.length));
  if (rows.length < 2 && width < 2) return null;
  const padded = rows.map((row) => row.concat(Array<string>(width - row.length).fill("")));
  const named = (padded[0] ?? []).map(fieldOfHeader);
  const hasHeader = padded.length > 1 && named.some((field) => field !== null) && !(padded[0] ?? []).some(isNumber);
  const body = hasHeader ? padded.slice(1) : padded;
  const inferred = inferFields(body, width, unitOf);
  return { rows: padded, hasHeader, fields: hasHeader ? withHeader(named, inferred) : inferred };
}

/** The lines of a table whose columns have these fields. */
export function toLines(
  { rows, hasHeader }: Pick<PastedTable, "rows" | "hasHeader">,
  fields: readonly PastedField[],
  unitOf: (text: string) => string | null,
): PastedLine[] {
  return rows.slice(hasHeader ? 1 : 0).map((row) => {
    const line: PastedLine = {};
    for (const [index, field] of fields.entries()) {
      const cell = row[index] ?? "";
      if (field === "description") line.description = ARABIC.test(cell) ? { ar: cell, en: "" } : { ar: "", en: cell };
      // Numbers stay as text. The core parses them, in any digits.
      else if (field === "quantity" || field === "unitPrice") line[field] = withoutCurrency(cell);
      else if (field === "taxRate") line.taxRate = cell.replace(/\s*[%٪]$/u, "");
      else if (field === "unit") {
        const unit = unitOf(cell);
        if (unit !== null) line.unit = unit;
      }
    }
    return line;
  });
}

/** Cells between tabs and line breaks. A cell in quotes can hold both, and two quotes for one. */
function parseCells(text: string): string[][] {
  const rows: string[][] = [];
  for (const row of text.replace(/\r\n?/g, "\n").matchAll(/(?:"(?:[^"]|"")*"|[^\n])+/g)) {
    const cells = [...`${row[0]}\t`.matchAll(/("(?:[^"]|"")*"|[^\t]*)\t/g)].map(([, cell = ""]) => unquoted(cell));
    rows.push(cells);
  }
  return rows;
}

function unquoted(cell: string): string {
  const quoted = /^"((?:[^"]|"")*)"$/.exec(cell);
  const text = quoted ? (quoted[1] ?? "").replaceAll('""', '"') : cell;
  return text.replace(/\s+/gu, " ").trim();
}

function fieldOfHeader(cell: string): PastedField | null {
  const name = cell
    .toLowerCase()
    .replace(/[\s_-]+/gu, "")
    .replace(/\(.*\)$/u, "");
  return HEADERS.find(([, words]) => words.test(name))?.[0] ?? null;
}

/** The fields that the header names. A column without a known name keeps what its values suggest, if no other column has it. */
function withHeader(named: readonly (PastedField | null)[], inferred: readonly PastedField[]): PastedField[] {
  return named.map((field, index) => {
    if (field !== null) return named.indexOf(field) === index || field === "ignored" ? field : "ignored";
    const suggested = inferred[index] ?? "ignored";
    return named.includes(suggested) ? "ignored" : suggested;
  });
}

/**
 * The fields that the values suggest: the longest texts are the description; of the numbers after it the first is the quantity
 * and the second the price, and a single one is the price; texts that name units are the unit; percentages are the tax rate.
 */
function inferFields(
  rows: readonly (readonly string[])[],
  width: number,
  unitOf: (text: string) => string | null,
): PastedField[] {
  const fields = Array<PastedField>(width).fill("ignored");
  const column = (index: number) => rows.map((row) => row[index] ?? "").filter((cell) => cell !== "");
  const numeric = (index: number) => column(index).length > 0 && column(index).every(isNumber);
  const length = (index: number) => column(index).reduce((sum, cell) => sum + cell.length, 0);
  const texts = fields.map((_, index) => index).filter((index) => column(index).length > 0 && !numeric(index));
  const units = texts.filter((index) => column(index).every((cell) => unitOf(cell) !== null));
  const description = texts.filter((index) => !units.includes(index)).toSorted((a, b) => length(b) - length(a))[0] ?? -1;
  if (description >= 0) fields[description] = "description";
  if (units[0] !== undefined) fields[units[0]] = "unit";
  const numbers = fields.map((_, index) => index).filter((index) => index > description && numeric(index));
  const rates = numbers.filter((index) => column(index).every((cell) => /[%٪]$/u.test(cell)));
  if (rates[0] !== undefined) fields[rates[0]] = "taxRate";
  const [first, second] = numbers.filter((index) => !rates.includes(index));
  if (second !== undefined && first !== undefined) {
    fields[first] = "quantity";
    fields[second] = "unitPrice";
  } else if (first !== undefined) {
    fields[first] = "unitPrice";
  }
  return fields;
}

function isNumber(cell: string): boolean {
  return NUMBER.test(withoutCurrency(cell));
}

function withoutCurrency(cell: string): string {
  return cell.replace(CURRENCY, "").trim();
}
