/** Tests of the search field, and of the query that a filter becomes. */
import { describe, expect, test } from "vitest";
import { noFilter } from "../queries/invoicePages";
import { isActive, isFiltering, nextSort, searchReadings, without } from "./filter";

describe("the search field", () => {
  test.each([
    ["Nakheel", "Nakheel", ""],
    ["النخيل الطبية", "النخيل الطبية", ""],
    ["310122393500003", "310122393500003", ""],
    ["٣١٠١٢٢٣٩٣٥٠٠٠٠٣", "310122393500003", ""],
    ["Studio 54 Ltd", "Studio 54 Ltd", ""],
    ["  ", "", ""],
  ])("parses %j as buyer %j, number %j", (text, buyer, number) => {
    expect(searchReadings(text)).toEqual([{ buyer, number }]);
  });
  test.each([
    ["INV-2026-0417", "INV-2026-0417", "INV-2026-0417"],
    ["٠٤١٧", "0417", "0417"],
    ["3M", "3M", "3M"],
    ["Shop24", "Shop24", "Shop24"],
    ["DE123456789", "DE123456789", "DE123456789"],
    ["شركة٣", "شركة3", "شركة٣"],
  ])("parses %j as the number %j, or else as the buyer %j", (text, number, buyer) => {
    expect(searchReadings(text)).toEqual([
      { buyer: "", number },
      { buyer, number: "" },
    ]);
  });
  test.each([
    ["490.00", "490.00"],
    ["1,234.50", "1234.50"],
    ["1.234,50", "1234.50"],
    ["٤٩٠٫٥", "490.5"],
    ["١٬٢٣٤٫٥٠", "1234.50"],
    ["12,5", "12.5"],
    ["0.75", "0.75"],
    ["12.345", "12.3450"],
    ["1234٫567", "1234.5670"],
  ])("parses %j as the amount %j", (text, amount) => {
    expect(searchReadings(text)).toEqual([{ buyer: "", number: "", grossFrom: amount, grossTo: amount }]);
  });
  test.each([
    ["490", "490"],
    ["٤٩٠", "490"],
    ["۴۹۰", "490"],
    ["123456789", "123456789"],
  ])("parses %j as an amount, or else as a part of a number or of a buyer", (text, digits) => {
    expect(searchReadings(text)).toEqual([
      { buyer: "", number: "", grossFrom: digits, grossTo: digits },
      { buyer: "", number: digits },
      { buyer: digits, number: "" },
    ]);
  });
});

describe("the search field of a list that is filtered by amounts", () => {
  test.each(["150", "150.00", "١٥٠٫٠٠"])("takes %j for no amount, which would take the place of that filter", (text) => {
    const readings = searchReadings(text, true);
    expect(readings.map(({ grossFrom }) => grossFrom)).toEqual(readings.map(() => undefined));
    expect(readings.map(({ number, buyer }) => number !== "" || buyer !== "")).toEqual([true, true]);
  });
});

describe("the filter", () => {
  test("isFiltering is true for a search or facet, not for a sort order", () => {
    expect(isFiltering(noFilter)).toBe(false);
    expect(isFiltering({ ...noFilter, number: "4" })).toBe(true);
    expect(isFiltering({ ...noFilter, sort: { field: "gross", descending: true } }), "a sort order is no filter").toBe(false);
  });
  test("without clears all fields of a facet", () => {
    expect(without({ ...noFilter, issuedFrom: "2026-01-01", issuedTo: "2026-02-01" }, "issued")).toEqual(noFilter);
  });
  test("by states of the tax authority is active until it is removed", () => {
    const filter = { ...noFilter, submission: ["rejected" as const] };
    expect([isActive(filter, "submission"), isFiltering(filter)]).toEqual([true, true]);
    expect(without(filter, "submission")).toEqual(noFilter);
    const withRemarks = { ...noFilter, hasWarnings: true };
    expect([isActive(withRemarks, "submission"), isFiltering(withRemarks)]).toEqual([true, true]);
    expect(without(withRemarks, "submission")).toEqual(noFilter);
  });
  test("nextSort cycles through default direction, reverse and none", () => {
    const first = nextSort(null, "gross");
    expect(first).toEqual({ field: "gross", descending: true });
    const second = nextSort(first, "gross");
    expect(second).toEqual({ field: "gross", descending: false });
    expect(nextSort(second, "gross")).toBeNull();
    expect(nextSort(first, "buyer")).toEqual({ field: "buyer", descending: false });
  });
});
