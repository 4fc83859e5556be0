/** Rows from a spreadsheet: description, then quantity and unit price. */

import type { Language, LineContent } from "../ipc/bindings";

export type PastedLine = Partial<Pick<LineContent, "quantity" | "unitPrice" | "description">>;

/** The rows, or `null` if the text is a word or a number that belongs into one cell. */
export function parsePastedLines(text: string, language: Language): PastedLine[] | null {
  const rows = text
    .replace(/\r\n?/g, "\n")
    .split("\n")
    .filter((row) => row.trim() !== "")
    .map((row) => row.split("\t").map((cell) => cell.trim()));
  if (rows.length < 2 && (rows[0]?.length ?? 0) < 2) return null;
  return rows.map(([description = "", second, third]) => {
    const line: PastedLine = { description: language === "ar" ? { ar: description, en: "" } : { ar: "", en: description } };
    // Numbers stay as they are in the clipboard: Rust reads them, in whichever digits.
    if (second !== undefined && third !== undefined) line.quantity = second;
    if (second !== undefined) line.unitPrice = third ?? second;
    return line;
  });
}
