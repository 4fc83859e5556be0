/** Tests of selected rows, one by one and all of a filter. */
import { describe, expect, test } from "vitest";
import { row as sample } from "../gallery/fixtures";
import { type InvoiceRow } from "../ipc/bindings";
import {
  addRows,
  emptySelection,
  indexesOutside,
  isSelected,
  rangeTo,
  removeRows,
  selectedCount,
  selectionOfAll,
  sums,
  toggleRow,
} from "./selection";

const row = (key: string, part: Partial<InvoiceRow> = {}): InvoiceRow => ({ ...sample, key, ...part });
const dinar = { currency: "KWD", net: "1.000", tax: "0.150", gross: "1.150" };

describe("a selection", () => {
  test("is summed per currency, with credit notes as negative", () => {
    let selection = toggleRow(emptySelection, row("a"), 0);
    selection = toggleRow(selection, row("b", dinar), 1);
    selection = toggleRow(selection, row("c", { kind: "creditNote", net: "1000.00", tax: "150.00", gross: "1150.00" }), 2);
    expect(sums(selection, [])).toEqual([
      { currency: "KWD", count: 1, net: "1.000", tax: "0.150", gross: "1.150" },
      { currency: "SAR", count: 2, net: "19000.00", tax: "2850.00", gross: "21850.00" },
    ]);
  });
  test("loses a row that is toggled twice", () => {
    const once = toggleRow(emptySelection, row("a"), 0);
    expect(toggleRow(once, row("a"), 0).rows.size).toBe(0);
  });
  test("has a range from its anchor in both directions", () => {
    const start = toggleRow(emptySelection, row("5"), 5);
    expect(rangeTo(start, 3)).toEqual({ from: 3, to: 5 });
    expect(rangeTo(start, 7)).toEqual({ from: 5, to: 7 });
    expect(addRows(start, [row("6"), row("7")]).rows.size).toBe(3);
  });
  test.each([
    [7, 6, [7]],
    [7, 8, []],
    // On the other side of the anchor nothing of the range before is left.
    [7, 3, [6, 7]],
    [2, 4, [2, 3]],
    [2, 7, [2, 3, 4]],
  ])("whose range ended at %i and is made to end at %i loses %j", (end, index, outside) => {
    const selection = { ...toggleRow(emptySelection, row("5"), 5), end };
    expect(indexesOutside(selection, index)).toEqual(outside);
  });
  test("loses the rows that are taken from it", () => {
    const selection = addRows(emptySelection, [row("a"), row("b")]);
    expect([...removeRows(selection, [row("b")]).rows.keys()]).toEqual(["a"]);
    expect(isSelected(removeRows(selectionOfAll, [row("b")]), "b")).toBe(false);
  });
});

describe("a selection of all of the filter", () => {
  const filterSums = [
    { currency: "KWD", count: 1, net: "1.000", tax: "0.150", gross: "1.150" },
    { currency: "SAR", count: 999_999, net: "20000000000000000000.01", tax: "0.00", gross: "20000000000000000000.01" },
  ];
  test("has rows that were never loaded, and no key of them", () => {
    expect(isSelected(selectionOfAll, "any")).toBe(true);
    expect(selectedCount(selectionOfAll, 1_000_000)).toBe(1_000_000);
    expect(selectionOfAll.rows.size).toBe(0);
  });
  test("is summed as the sums of the service less what is excluded, to the last digit", () => {
    let selection = toggleRow(selectionOfAll, row("b", dinar), 0);
    selection = toggleRow(selection, row("a", { net: "0.01", tax: "0.00", gross: "0.01" }), 1);
    expect(selectedCount(selection, 1_000_000)).toBe(999_998);
    expect(isSelected(selection, "a")).toBe(false);
    expect(sums(selection, filterSums)).toEqual([
      { currency: "SAR", count: 999_998, net: "20000000000000000000.00", tax: "0.00", gross: "20000000000000000000.00" },
    ]);
  });
  test("takes an excluded row back in a range", () => {
    const selection = toggleRow(selectionOfAll, row("a"), 0);
    expect(addRows(selection, [row("a")]).rows.size).toBe(0);
  });
});
