/** Tests of saved views and of the built-in ones. */
import { describe, expect, test } from "vitest";
import { noFilter } from "../queries/invoicePages";
import {
  filterText,
  followedPeriods,
  isAsSaved,
  type ListView,
  listViews,
  parseFilter,
  sameFilter,
  shownView,
} from "./savedViews";

const TODAY = new Date(2026, 10, 22);

describe("a saved view", () => {
  test("has the filter that it was saved with", () => {
    const filter = {
      ...noFilter,
      status: ["draft" as const],
      grossFrom: "490",
      sort: { field: "gross" as const, descending: true },
    };
    expect(sameFilter(parseFilter(filterText(filter, "", TODAY), TODAY), filter)).toBe(true);
  });
  test("is the same whatever the order in which its values were chosen", () => {
    const chosen = { ...noFilter, status: ["issued" as const, "draft" as const] };
    expect(sameFilter({ ...noFilter, status: ["draft", "issued"] }, chosen)).toBe(true);
    expect(sameFilter({ ...noFilter, status: ["draft"] }, chosen)).toBe(false);
  });
  test("of another version does not filter by what it does not have or what is not understood", () => {
    expect(parseFilter('{"buyer":"Noor","status":"draft","gone":1}', TODAY)).toEqual({ ...noFilter, buyer: "Noor" });
    expect(parseFilter("not JSON", TODAY)).toEqual(noFilter);
  });
  test.each([
    ['{"status":["archived","draft",7]}', { status: ["draft"] }],
    ['{"payment":["disputed"],"currency":["SAR",null]}', { currency: ["SAR"] }],
    ['{"sort":{"field":"weight","descending":true}}', {}],
    ['{"sort":{"field":"toString","descending":true}}', {}],
    ['{"sort":"gross"}', {}],
  ])("of another version filters only by the values that the core knows: %s", (text, expected) => {
    expect(parseFilter(text, TODAY)).toEqual({ ...noFilter, ...expected });
  });
  test("comes after the built-in ones", () => {
    const saved = { id: "1", name: "Large", filter: "{}", columns: [] };
    expect(listViews([saved], TODAY, false).map(({ id }) => id)).toEqual(["all", "drafts", "month", "overdue", "rejected", "1"]);
    const month = listViews([], TODAY, false).find(({ id }) => id === "month");
    expect([month?.filter.issuedFrom, month?.filter.issuedTo]).toEqual(["2026-11-01", "2026-11-30"]);
  });
  test("filters by the states of the tax authority that it was saved with", () => {
    const filter = { ...noFilter, submission: ["unanswered" as const], hasWarnings: true };
    expect(parseFilter(filterText(filter, "", TODAY), TODAY)).toEqual(filter);
    expect(parseFilter('{"status":["issued"]}', TODAY).submission, "saved by an earlier version").toEqual([]);
    expect(parseFilter('{"submission":["cleared"]}', TODAY).hasWarnings, "saved by an earlier version").toBe(false);
  });
});

describe("the built-in views of an organization with a tax authority", () => {
  const built = listViews([], TODAY, true);
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

describe("a saved range of dates", () => {
  const december = new Date(2026, 11, 3);
  const range = (issuedFrom: string, issuedTo: string) => ({ ...noFilter, issuedFrom, issuedTo });
  const later = (text: string) => {
    const { issuedFrom, issuedTo } = parseFilter(text, december);
    return [issuedFrom, issuedTo];
  };
  test.each([
    ["this month", "2026-11-01", "2026-11-30", ["2026-12-01", "2026-12-31"]],
    ["last month", "2026-10-01", "2026-10-31", ["2026-11-01", "2026-11-30"]],
    ["this year", "2026-01-01", "2026-12-31", ["2026-01-01", "2026-12-31"]],
  ])("that was %s is that of the day on which the view is opened", (_, from, to, expected) => {
    expect(later(filterText(range(from, to), "", TODAY))).toEqual(expected);
  });
  test("of the due date follows the calendar, too", () => {
    const text = filterText({ ...noFilter, dueFrom: "2026-11-01", dueTo: "2026-11-30" }, "", TODAY);
    expect(parseFilter(text, december)).toEqual({ ...noFilter, dueFrom: "2026-12-01", dueTo: "2026-12-31" });
  });
  test("that is no period stays as it is, as does one of an earlier version", () => {
    expect(later(filterText(range("2026-11-03", "2026-11-30"), "", TODAY))).toEqual(["2026-11-03", "2026-11-30"]);
    expect(later('{"issuedFrom":"2026-11-01","issuedTo":"2026-11-30"}')).toEqual(["2026-11-01", "2026-11-30"]);
    expect(later('{"issuedFrom":"2026-11-01","issuedTo":"2026-11-30","issuedPreset":"decade"}')).toEqual([
      "2026-11-01",
      "2026-11-30",
    ]);
  });
  test("is named before it is saved if it will follow the calendar", () => {
    expect(followedPeriods({ ...range("2026-11-01", "2026-11-30"), dueFrom: "2026-11-01", dueTo: "2026-11-30" }, TODAY)).toEqual([
      "month",
    ]);
    expect(followedPeriods(range("2026-11-03", "2026-11-30"), TODAY)).toEqual([]);
  });
});

describe("what can be saved", () => {
  const columns = [{ name: "gross", width: null }];
  const view = (id: string, part: Partial<ListView>): ListView => ({
    id,
    name: id,
    filter: noFilter,
    search: "",
    columns: [],
    ...part,
  });
  const all = view("all", { name: null });
  const shown = { filter: noFilter, search: "", columns: [] };
  test("is a search, which is then opened with the view", () => {
    const searched = { ...shown, search: "Noor" };
    expect(isAsSaved(all, searched)).toBe(false);
    const saved = { id: "1", name: "Noor", filter: filterText(noFilter, "Noor", TODAY), columns: [] };
    const kept = listViews([saved], TODAY, false).find(({ id }) => id === "1") ?? expect.fail("it is listed");
    expect(kept.search).toBe("Noor");
    expect(isAsSaved(kept, searched)).toBe(true);
    expect(isAsSaved(kept, shown)).toBe(false);
  });
  test("is the columns of a built-in view, with their widths", () => {
    expect(isAsSaved(all, shown)).toBe(true);
    expect(isAsSaved(all, { ...shown, columns })).toBe(false);
    expect(isAsSaved(view("wide", { columns }), { ...shown, columns: [{ name: "gross", width: 300 }] })).toBe(false);
    expect(isAsSaved(view("wide", { columns }), { ...shown, columns })).toBe(true);
  });
  test("a search in a view shows that view, unless one was saved with it", () => {
    const noor = view("noor", { search: "Noor" });
    expect(shownView([all, noor], { ...shown, search: "Noor" }, "all")?.id).toBe("noor");
    expect(shownView([all, noor], { ...shown, search: "Nakheel" }, "noor")?.id).toBe("all");
    expect(shownView([all, noor], shown, "noor")?.id).toBe("all");
  });
  test("of views with one filter the one that was opened is shown", () => {
    const wide = view("wide", { columns });
    expect(shownView([all, wide], shown, "all")?.id).toBe("all");
    expect(shownView([all, wide], shown, "wide")?.id).toBe("wide");
    expect(shownView([all, wide], { ...shown, filter: { ...noFilter, buyer: "x" } }, "wide")).toBeUndefined();
  });
});
