/** Tests of saved views and of the built-in ones. */
import { describe, expect, test } from "vitest";
import { noFilter } from "../queries/invoicePages";
import { filterText, listViews, parseFilter, sameFilter } from "./savedViews";

describe("a saved view", () => {
  test("has the filter that it was saved with", () => {
    const filter = {
      ...noFilter,
      status: ["draft" as const],
      grossFrom: "490",
      sort: { field: "gross" as const, descending: true },
    };
    expect(sameFilter(parseFilter(filterText(filter)), filter)).toBe(true);
  });
  test("of another version does not filter by what it does not have or what is not understood", () => {
    expect(parseFilter('{"buyer":"Noor","status":"draft","gone":1}')).toEqual({ ...noFilter, buyer: "Noor" });
    expect(parseFilter("not JSON")).toEqual(noFilter);
  });
  test("comes after the built-in ones", () => {
    const saved = { id: "1", name: "Large", filter: "{}", columns: [] };
    expect(listViews([saved], new Date(2026, 10, 22), false).map(({ id }) => id)).toEqual([
      "all",
      "drafts",
      "month",
      "overdue",
      "rejected",
      "1",
    ]);
    const month = listViews([], new Date(2026, 10, 22), false).find(({ id }) => id === "month");
    expect([month?.filter.issuedFrom, month?.filter.issuedTo]).toEqual(["2026-11-01", "2026-11-30"]);
  });
  test("filters by the states of the tax authority that it was saved with", () => {
    const filter = { ...noFilter, submission: ["unanswered" as const], hasWarnings: true };
    expect(parseFilter(filterText(filter))).toEqual(filter);
    expect(parseFilter('{"status":["issued"]}').submission, "saved by an earlier version").toEqual([]);
    expect(parseFilter('{"submission":["cleared"]}').hasWarnings, "saved by an earlier version").toBe(false);
  });
});

describe("the built-in views of an organization with a tax authority", () => {
  const built = listViews([], new Date(2026, 10, 22), true);
  const filterOf = (id: string) => built.find((view) => view.id === id)?.filter;
  test("have the documents that wait for it, and those with remarks", () => {
    expect(built.map(({ id }) => id)).toEqual([
      "all",
      "drafts",
      "month",
      "overdue",
      "rejected",
      "authority-waiting",
      "authority-remarks",
    ]);
    expect(filterOf("authority-waiting")).toEqual({ ...noFilter, submission: ["pending", "unanswered"] });
    expect(filterOf("authority-remarks")).toEqual({ ...noFilter, hasWarnings: true });
  });
  test("have every rejected document, also those from before submissions were stored", () => {
    expect(filterOf("rejected")).toEqual({ ...noFilter, status: ["rejected"] });
  });
});
