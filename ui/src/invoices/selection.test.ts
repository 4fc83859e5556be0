import { describe, expect, test } from "vitest";
import { row as sample } from "../gallery/fixtures";
import { type InvoiceRow } from "../ipc/bindings";
import { emptySelection, extendTo, sums, toggleRow } from "./selection";

const row = (key: string, part: Partial<InvoiceRow> = {}): InvoiceRow => ({ ...sample, key, ...part });

describe("a selection", () => {
  test("is summed per currency, with credit notes as negative", () => {
    let selection = toggleRow(emptySelection, row("a"), 0);
    selection = toggleRow(selection, row("b", { currency: "KWD", net: "1.000", tax: "0.150", gross: "1.150" }), 1);
    selection = toggleRow(selection, row("c", { kind: "creditNote", net: "1000.00", tax: "150.00", gross: "1150.00" }), 2);
    expect(sums(selection)).toEqual([
      { currency: "KWD", count: 1, net: "1.000", tax: "0.150", gross: "1.150" },
      { currency: "SAR", count: 2, net: "19000.00", tax: "2850.00", gross: "21850.00" },
    ]);
  });
  test("loses a row that is toggled twice", () => {
    const once = toggleRow(emptySelection, row("a"), 0);
    expect(toggleRow(once, row("a"), 0).rows.size).toBe(0);
  });
  test("extends from its anchor in both directions and skips rows that are not loaded", () => {
    const start = toggleRow(emptySelection, row("5"), 5);
    const at = (index: number) => (index === 4 ? undefined : row(String(index)));
    expect([...extendTo(start, 3, at).rows.keys()]).toEqual(["5", "3"]);
    expect([...extendTo(start, 7, at).rows.keys()]).toEqual(["5", "6", "7"]);
  });
});
