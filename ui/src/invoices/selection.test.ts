/** Tests of selected rows, one by one and all of a filter. */
import { describe, expect, test } from "vitest";
import { row as sample } from "../gallery/fixtures";
import { type InvoiceRow } from "../ipc/bindings";
import {
  addRows,
  emptySelection,
  isSelected,
  rangeEnds,
  rangeFrom,
  rangeTo,
  selectedCount,
  selectionOfAll,
  sums,
  toggleRow,
  withLoadedRows,
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
    expect(rangeEnds(rangeTo(start, 3))).toEqual({ from: 3, to: 5 });
    expect(rangeEnds(rangeTo(start, 7))).toEqual({ from: 5, to: 7 });
    expect(addRows(start, [row("6"), row("7")]).rows.size).toBe(3);
  });
  test("keeps of a range that is made shorter only what was selected before it, whatever is loaded", () => {
    const ticked = toggleRow(toggleRow(emptySelection, row("9"), 9), row("5"), 5);
    const long = addRows(
      rangeTo(ticked, 8),
      ["5", "6", "7", "8"].map((key) => row(key)),
    );
    expect([...long.rows.keys()]).toEqual(["9", "5", "6", "7", "8"]);
    const other = addRows(rangeTo(long, 4), [row("4"), row("5")]);
    expect([...other.rows.keys()]).toEqual(["9", "5", "4"]);
  });
  test("begins a range at another row without losing the one before", () => {
    const first = addRows(rangeTo(toggleRow(emptySelection, row("1"), 1), 2), [row("1"), row("2")]);
    const second = addRows(rangeTo(rangeFrom(first, 7), 8), [row("7"), row("8")]);
    expect([...second.rows.keys()]).toEqual(["1", "2", "7", "8"]);
    expect([...rangeTo(second, 7).rows.keys()]).toEqual(["1", "2"]);
  });
  test("has the amounts of its rows as they were read last", () => {
    const selection = addRows(emptySelection, [row("a"), row("b")]);
    const changed = withLoadedRows(selection, [row("a", { gross: "1.00", net: "1.00", tax: "0.00" }), row("c")], 500);
    expect(sums(changed, [])).toMatchObject([{ count: 2, net: "20001.00", gross: "23001.00" }]);
  });
  test("loses a row that has left a list that is loaded as a whole, and keeps one that may be further down", () => {
    const selection = addRows(emptySelection, [row("a"), row("b")]);
    const [a] = selection.rows.values();
    const loaded = [a ?? expect.fail("it is selected")];
    expect([...withLoadedRows(selection, loaded, 1).rows.keys()]).toEqual(["a"]);
    expect(withLoadedRows(selection, loaded, 500), "nothing is rendered again").toBe(selection);
    expect(withLoadedRows(selection, [...loaded, ...loaded], 2), "it may be on a page that is read next").toBe(selection);
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
  test("no longer leaves out a row that the filter has no more", () => {
    const selection = toggleRow(selectionOfAll, row("a"), 0);
    const left = withLoadedRows(selection, [row("b"), row("c")], 2);
    expect(selectedCount(left, 2)).toBe(2);
    expect(left.base).toBe("all");
  });
  test("gives way to a range that begins in it, which has its own rows only", () => {
    const down = addRows(rangeTo(rangeFrom(selectionOfAll, 4), 5), [row("4"), row("5")]);
    expect([down.base, ...down.rows.keys()]).toEqual(["rows", "4", "5"]);
    const back = addRows(rangeTo(down, 4), [row("4")]);
    expect([back.base, ...back.rows.keys()]).toEqual(["rows", "4"]);
    expect(rangeTo(selectionOfAll, 7), "with Shift and the pointer").toMatchObject({ base: "rows", anchor: 7, end: 7 });
  });
  test("takes an excluded row back in a range", () => {
    const excluding = toggleRow(toggleRow(selectionOfAll, row("a"), 0), row("b"), 4);
    const selection = addRows(rangeTo(excluding, 5), [row("b"), row("c")]);
    expect([selection.base, ...selection.rows.keys()]).toEqual(["all", "a"]);
  });
});
