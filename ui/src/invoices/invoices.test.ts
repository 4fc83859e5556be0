import { describe, expect, test } from "vitest";
import { row as sample } from "../gallery/fixtures";
import { createLocalizer, stripIsolates } from "../i18n/localizer";
import type { InvoiceRow } from "../ipc/bindings";
import { noFilter } from "../queries/invoicePages";
import { datePresets } from "./datePresets";
import { negate, sumDecimals } from "./decimal";
import { facetText } from "./facetText";
import { isFiltering, nextSort, searchTerms, without } from "./filter";
import { rowAfterKey } from "./gridKeys";
import { emptySelection, extendTo, sums, toggleRow } from "./selection";

const row = (key: string, part: Partial<InvoiceRow> = {}): InvoiceRow => ({ ...sample, key, ...part });

describe("sums", () => {
  test("are exact where floats are not", () => {
    expect(sumDecimals(["0.1", "0.2"])).toBe("0.3");
    expect(sumDecimals(["9007199254740993.01", "0.01"])).toBe("9007199254740993.02");
  });
  test("keep the digits of the most precise", () => {
    expect(sumDecimals(["812.375", "1"])).toBe("813.375");
  });
  test("go below zero and come back", () => {
    expect(sumDecimals(["1.00", "-1.50"])).toBe("-0.50");
    expect(sumDecimals(["-1.50", "1.50"])).toBe("0.00");
    expect(sumDecimals([])).toBe("0");
  });
  test("of zero have no minus sign", () => {
    expect(negate("0.00")).toBe("0.00");
    expect(negate("-3")).toBe("3");
  });
});

describe("a selection", () => {
  test("is summed per currency, never across, and credit notes count negative", () => {
    let selection = toggleRow(emptySelection, row("a"), 0);
    selection = toggleRow(selection, row("b", { currency: "KWD", net: "1.000", tax: "0.150", gross: "1.150" }), 1);
    selection = toggleRow(selection, row("c", { kind: "creditNote", net: "1000.00", tax: "150.00", gross: "1150.00" }), 2);
    expect(sums(selection)).toEqual([
      { currency: "KWD", count: 1, net: "1.000", tax: "0.150", gross: "1.150" },
      { currency: "SAR", count: 2, net: "19000.00", tax: "2850.00", gross: "21850.00" },
    ]);
  });
  test("loses a row that is toggled again", () => {
    const once = toggleRow(emptySelection, row("a"), 0);
    expect(toggleRow(once, row("a"), 0).rows.size).toBe(0);
  });
  test("extends from its anchor both ways and leaves out rows that are not loaded", () => {
    const start = toggleRow(emptySelection, row("5"), 5);
    const at = (index: number) => (index === 4 ? undefined : row(String(index)));
    expect([...extendTo(start, 3, at).rows.keys()]).toEqual(["5", "3"]);
    expect([...extendTo(start, 7, at).rows.keys()]).toEqual(["5", "6", "7"]);
  });
});

describe("the search field", () => {
  test.each([
    ["Nakheel", "Nakheel", ""],
    ["النخيل الطبية", "النخيل الطبية", ""],
    ["INV-2026-0417", "", "INV-2026-0417"],
    ["٠٤١٧", "", "0417"],
    ["310122393500003", "310122393500003", ""],
    ["٣١٠١٢٢٣٩٣٥٠٠٠٠٣", "310122393500003", ""],
    ["Studio 54 Ltd", "Studio 54 Ltd", ""],
    ["  ", "", ""],
  ])("reads %j as buyer %j, number %j", (text, buyer, number) => {
    expect(searchTerms(text)).toEqual({ buyer, number });
  });
});

describe("the filter", () => {
  test("knows whether anything narrows the list", () => {
    expect(isFiltering(noFilter)).toBe(false);
    expect(isFiltering({ ...noFilter, number: "4" })).toBe(true);
    expect(isFiltering({ ...noFilter, sort: { field: "gross", descending: true } }), "an order hides nothing").toBe(false);
  });
  test("gives a facet up whole", () => {
    expect(without({ ...noFilter, issuedFrom: "2026-01-01", issuedTo: "2026-02-01" }, "issued")).toEqual(noFilter);
  });
  test("says its facets in words", () => {
    const localizer = createLocalizer("en", "latin");
    expect(stripIsolates(facetText({ ...noFilter, status: ["issued", "frozen"] }, "status", localizer))).toBe(
      "Status: Issued, Frozen",
    );
    expect(stripIsolates(facetText({ ...noFilter, issuedFrom: "2026-01-01" }, "issued", localizer))).toBe(
      "Issued: from 1 Jan 2026",
    );
    expect(facetText(noFilter, "kind", localizer)).toBe("Kind");
  });
  test("sorts by a header its natural way, then the other, then not at all", () => {
    const first = nextSort(null, "gross");
    expect(first).toEqual({ field: "gross", descending: true });
    const second = nextSort(first, "gross");
    expect(second).toEqual({ field: "gross", descending: false });
    expect(nextSort(second, "gross")).toBeNull();
    expect(nextSort(first, "buyer")).toEqual({ field: "buyer", descending: false });
  });
  test("offers whole months, also in January", () => {
    expect(datePresets(new Date(2026, 0, 31))).toEqual([
      { id: "month", from: "2026-01-01", to: "2026-01-31" },
      { id: "last-month", from: "2025-12-01", to: "2025-12-31" },
      { id: "year", from: "2026-01-01", to: "2026-12-31" },
    ]);
  });
});

describe("keys in the grid", () => {
  const key = (name: string, part = {}) => ({ key: name, ctrlKey: false, metaKey: false, altKey: false, ...part });
  test("stay within the list", () => {
    expect(rowAfterKey(key("ArrowUp"), 0, 10, 5)).toBe(0);
    expect(rowAfterKey(key("PageDown"), 8, 10, 5)).toBe(9);
    expect(rowAfterKey(key("End"), 0, 1_000_000, 20)).toBe(999_999);
    expect(rowAfterKey(key("ArrowDown"), 0, 0, 5)).toBeNull();
  });
  test("leave other keys alone", () => {
    expect(rowAfterKey(key("a"), 3, 10, 5)).toBeNull();
    expect(rowAfterKey(key("ArrowDown", { altKey: true }), 3, 10, 5)).toBeNull();
  });
});
