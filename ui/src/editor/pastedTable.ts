/** Cells pasted from a spreadsheet: which column is which field, and the lines that they become. */

import type { Language, LineContent } from "../ipc/bindings";

export type PastedLine = Partial<Pick<LineContent, "quantity" | "unit" | "unitPrice" | "taxRate" | "description">> & {
  /** BT-155, a detail of the line. */
  itemCode?: string;
};

/** `description` is in the language of each cell. */
export const pastedFields = [
  "itemCode",
  "description",
  "descriptionAr",
  "descriptionEn",
  "quantity",
  "unit",
  "unitPrice",
  "unitPriceWithTax",
  "taxRate",
  "ignored",
] as const;
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
    "itemCode",
    /^(code|sku|(item|product|part)(code|no\.?|number)|الرمز|الكود|(رمز|كود|رقم)(ال)?(صنف|منتج|مادة|سلعة|بند)|رمز|كود)$/,
  ],
  ["ignored", /^(#|no\.?|total|amount|net|linetotal|subtotal|م|رمز.*|كود.*|رقم.*|الإجمالي|الاجمالي|المجموع|الصافي)$/],
  ["descriptionAr", /^((description|desc\.?|item|itemname|product|name)(ar|arabic)|arabic.*|.*(عربية|عربي))$/],
  [
    "descriptionEn",
    /^((description|desc\.?|item|itemname|product|name)(en|english)|english.*|.*(إنجليزية|انجليزية|إنجليزي|انجليزي))$/,
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

/** In its forms, before the tax or at the end. */
const INCLUDING = "شامل(?:ة|ا(?=ال|لل|$))?";
/** What a header says of tax beside the name of its column, without spaces and in lower case. */
const TAX_NOTE = new RegExp(
  [
    "(?:tax|vat)?",
    String.raw`(?:(?<without>excl(?:uding|usive|uded)?|ex(?=\.|tax|vat)|w/o(?:ut)?|without|no[nt]-?(?:tax|vat)?-?incl(?:uding|usive|uded)?|before(?=tax|vat)|غير(?:ال)?${INCLUDING}|بدون|قبل(?=الضريبة|ضريبة))`,
    String.raw`|(?<with>incl(?:uding|usive|uded)?|inc(?=$|\.|of|tax|vat)|gross|w/|with(?=tax|vat)|${INCLUDING}|مع(?=الضريبة|ضريبة)))`,
    String.raw`\.?(?:of)?[\d٠-٩]*[%٪]?(?:tax(?:es)?|vat|(?:ال|لل)?ضريبة)?(?:القيمةالمضافة)?`,
  ].join(""),
  "u",
);

/** Digits of either script, separators, a sign, percent. */
const NUMBER = /^[-\u2212+(]?[\d٠-٩۰-۹][\d٠-٩۰-۹\s.,٫٬'’]*\)?\s*[%٪]?$/u;
const PERCENT = /\s*[%٪]$/u;
/** A currency code, a symbol, or the short names of the riyals, dinars, dirhams and pounds of the region. */
const SIGN = String.raw`(?:[A-Z]{3}|SR|[رد]\.?\s?[أإابتسعقك]\.?|ج\.?\s?م\.?|[$€£﷼\u20c1])`;
/** The currency beside a number. */
const CURRENCY = new RegExp(`^${SIGN}\\s*|\\s*${SIGN}$`, "gu");
/** Bidirectional controls, which Arabic spreadsheets write beside signs. */
const CONTROLS = /[\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]/gu;
/** Brackets, and the marks of Arabic letters. */
const BRACKETS_AND_MARKS = /[()[\]\p{Mn}]/gu;
const ARABIC = /\p{Script=Arabic}/u;
/** One word with a digit, as `A-100`. */
const CODE = /^(?=.*\p{Nd})[^\s]+$/u;

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
  if (!hasHeader) return { rows: padded, hasHeader, fields: inferred };
  const withTax = (padded[0] ?? []).map((cell) => {
    const name = headerName(cell);
    // "Price including delivery" says nothing of tax.
    return /tax|vat|ضريبة/u.test(name) && taxNoteIn(name)?.isWithTax === true;
  });
  const suggested = inferred.map((field, index) => (field === "unitPrice" && withTax[index] ? "unitPriceWithTax" : field));
  return { rows: padded, hasHeader, fields: withHeader(inTwoLanguages(named, padded), suggested) };
}

/** The lines of a table whose columns have these fields. They have no price of a column of prices with tax. */
export function toLines(
  { rows, hasHeader }: Pick<PastedTable, "rows" | "hasHeader">,
  fields: readonly PastedField[],
  unitOf: (text: string) => string | null,
): PastedLine[] {
  return rows.slice(hasHeader ? 1 : 0).map((row) => {
    const line: PastedLine = {};
    for (const [index, field] of fields.entries()) {
      const cell = row[index] ?? "";
      const language = languageOfField(field, cell);
      if (language !== null) line.description = { ...(line.description ?? { ar: "", en: "" }), [language]: cell };
      else if (field === "itemCode") line.itemCode = cell;
      // Numbers stay as text. The core parses them, in any digits.
      else if (field === "quantity" || field === "unitPrice") line[field] = withoutCurrency(cell);
      else if (field === "taxRate") line.taxRate = withoutControls(cell).replace(PERCENT, "");
      else if (field === "unit") {
        const unit = unitOf(cell);
        if (unit !== null) line.unit = unit;
      }
    }
    return line;
  });
}

/** The price with tax of each line as text, empty if it has none; `null` if no column has this field. */
export function pricesWithTax(
  { rows, hasHeader }: Pick<PastedTable, "rows" | "hasHeader">,
  fields: readonly PastedField[],
): string[] | null {
  const column = fields.indexOf("unitPriceWithTax");
  return column < 0 ? null : rows.slice(hasHeader ? 1 : 0).map((row) => withoutCurrency(row[column] ?? ""));
}

/** Whether a field has numbers. */
export function isNumeric(field: PastedField): boolean {
  return field === "quantity" || field === "taxRate" || isPrice(field);
}

/** Whether a field is the price of a line, with or without tax. A line has one of them. */
export function isPrice(field: PastedField): boolean {
  return field === "unitPrice" || field === "unitPriceWithTax";
}

/** The language of the description that a cell of a column is. */
function languageOfField(field: PastedField, cell: string): Language | null {
  if (field === "descriptionAr") return "ar";
  if (field === "descriptionEn") return "en";
  return field === "description" ? languageOf([cell]) : null;
}

function languageOf(cells: readonly string[]): Language {
  return cells.some((cell) => ARABIC.test(cell)) ? "ar" : "en";
}

/** A cell and what ends it. Quotes count only around a whole cell: those in a text, as for inches, are part of it. */
const CELL = /("(?:[^"]|"")*"(?=[\t\n]|$)|[^\t\n]*)([\t\n]|$)/g;

/** Cells between tabs and line breaks. A cell in quotes can hold both, and two quotes for one. */
function parseCells(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  for (const [, cell = "", end] of text.replace(/\r\n?/g, "\n").matchAll(CELL)) {
    row.push(unquoted(cell));
    if (end === "\t") continue;
    rows.push(row);
    // After the last cell there is an empty match.
    if (end === "") break;
    row = [];
  }
  return rows;
}

function unquoted(cell: string): string {
  const quoted = /^"((?:[^"]|"")*)"$/.exec(cell);
  const text = quoted ? (quoted[1] ?? "").replaceAll('""', '"') : cell;
  return text.replace(/\s+/gu, " ").trim();
}

function headerName(cell: string): string {
  return cell.toLowerCase().replace(/[\s_-]+/gu, "");
}

function fieldOfHeader(cell: string): PastedField | null {
  const name = headerName(cell);
  const note = taxNoteIn(name);
  const noted = note && fieldNamed(note.rest);
  if (noted === "unitPrice") return note?.isWithTax ? "unitPriceWithTax" : "unitPrice";
  if (noted === "ignored") return noted;
  // What else is in parentheses is a language, or of no interest here.
  return fieldNamed(name.replace(/[()]/g, "")) ?? fieldNamed(name.replace(/\(.*\)$/u, "")) ?? null;
}

function fieldNamed(name: string): PastedField | undefined {
  return HEADERS.find(([, words]) => words.test(name))?.[0];
}

/** Whether a header says that its values are with tax, and its name without that; `null` if it says nothing of it. */
function taxNoteIn(name: string): { isWithTax: boolean; rest: string } | null {
  const bare = name.replace(BRACKETS_AND_MARKS, "");
  const note = TAX_NOTE.exec(bare);
  return note && { isWithTax: note.groups?.["with"] !== undefined, rest: bare.replace(TAX_NOTE, "") };
}

/** Two columns that are named as the description are that in two languages, if their values are, or else their names. */
function inTwoLanguages(
  named: readonly (PastedField | null)[],
  rows: readonly (readonly string[])[],
): readonly (PastedField | null)[] {
  const columns = named.map((_, index) => index).filter((index) => named[index] === "description");
  const [header = [], ...body] = rows;
  for (const cells of [body, [header]]) {
    const first = (language: Language) => columns.find((index) => languageOf(cells.map((row) => row[index] ?? "")) === language);
    const [ar, en] = [first("ar"), first("en")];
    if (ar !== undefined && en !== undefined) {
      return named.map((field, index) => {
        if (index === ar) return "descriptionAr";
        if (index === en) return "descriptionEn";
        return field === "description" ? "ignored" : field;
      });
    }
  }
  return named;
}

/** The fields that the header names. A column without a known name keeps what its values suggest, if no other column has it. */
function withHeader(named: readonly (PastedField | null)[], inferred: readonly PastedField[]): PastedField[] {
  const hasField = (suggested: PastedField) =>
    named.some((other) => other !== null && (other === suggested || (isPrice(other) && isPrice(suggested))));
  return named.map((field, index) => {
    // The price without tax needs no conversion.
    if (field === "unitPriceWithTax" && named.includes("unitPrice")) return "ignored";
    if (field !== null) return named.indexOf(field) === index || field === "ignored" ? field : "ignored";
    const suggested = inferred[index] ?? "ignored";
    const isDescription = suggested.startsWith("description") && named.some((other) => other?.startsWith("description"));
    return isDescription || hasField(suggested) ? "ignored" : suggested;
  });
}

/**
 * The fields that the values suggest: the longest texts are the description, and texts of the other script that in the other language;
 * words with digits before it are the code; of the numbers after it the first is the quantity and the second the price, and a single one
 * is the price; texts that name units are the unit, unless there are no others: goods can have such a name; percentages are the tax rate.
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
  const named = texts.filter((index) => column(index).every((cell) => unitOf(cell) !== null));
  const units = named.length === texts.length ? named.slice(1) : named;
  const description = texts.filter((index) => !units.includes(index)).toSorted((a, b) => length(b) - length(a))[0] ?? -1;
  if (description >= 0) fields[description] = "description";
  const others = texts.filter((index) => !units.includes(index) && index !== description);
  const codes = others.filter((index) => column(index).every((cell) => CODE.test(cell)));
  if (codes[0] !== undefined && codes[0] < description) fields[codes[0]] = "itemCode";
  const language = languageOf(column(description));
  const translation = others.find((index) => !codes.includes(index) && languageOf(column(index)) !== language);
  if (translation !== undefined) {
    fields[description] = language === "ar" ? "descriptionAr" : "descriptionEn";
    fields[translation] = language === "ar" ? "descriptionEn" : "descriptionAr";
  }
  if (units[0] !== undefined) fields[units[0]] = "unit";
  const numbers = fields.map((_, index) => index).filter((index) => index > description && numeric(index));
  const rates = numbers.filter((index) => column(index).every((cell) => PERCENT.test(withoutControls(cell))));
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

export function isNumber(cell: string): boolean {
  return NUMBER.test(withoutCurrency(cell));
}

function withoutCurrency(cell: string): string {
  return withoutControls(cell).replace(CURRENCY, "").trim();
}

function withoutControls(cell: string): string {
  return cell.replace(CONTROLS, "");
}
