/** Parses rows pasted from a spreadsheet: description, quantity, unit price. */

import type { Language, LineContent } from "../ipc/bindings";

export type PastedLine = Partial<Pick<LineContent, "quantity" | "unitPrice" | "description">>;

/** The parsed rows, or `null` if the text belongs in a single cell. */
export function parsePastedLines(text: string, language: Language): PastedLine[] | null {
  const rows = text
    .replace(/\r\n?/g, "\n")
    .split("\n")
    .filter((row) => row.trim() !== "")
    .map((row) => row.split("\t").map((cell) => cell.trim()));
  if (rows.length < 2 && (rows[0]?.length ?? 0) < 2) return null;
  return rows.map(([description = "", second, third]) => {
    const line: PastedLine = { description: language === "ar" ? { ar: description, en: "" } : { ar: "", en: description } };
    // Numbers stay as text. The core parses them, in any digits.
    if (second !== undefined && third !== undefined) line.quantity = second;
    if (second !== undefined) line.unitPrice = third ?? second;
    return line;
  });
}
