/** Tests of the sort order of the list of clients. */
import { expect, test } from "vitest";
import { organizations } from "../gallery/fixtures";
import type { Overview } from "../ipc/bindings";
import { type Client, nextClientSort, sortClients } from "./sortClients";

const client = (name: string, overdue: number | null): Client => ({
  organization: { ...organizations[0]!, id: name, name },
  unsent: 0,
  overview:
    overdue === null
      ? undefined
      : ({ organization: name, overdue: { count: overdue, sums: [] }, errors: [], kept: false } as unknown as Overview),
});
const clients = [client("Dune", 2), client("Azure", null), client("Coral", 7), client("Bayan", 2)];
const names = (descending: boolean) =>
  sortClients(clients, { field: "overdue", descending }, "en-GB").map(({ organization: { name } }) => name);

test("clients are sorted by a count, then by name, and those without an answer are last in both directions", () => {
  expect(names(true)).toEqual(["Coral", "Bayan", "Dune", "Azure"]);
  expect(names(false)).toEqual(["Bayan", "Dune", "Coral", "Azure"]);
});

test("a column is sorted in its natural direction first", () => {
  expect(nextClientSort({ field: "name", descending: false }, "overdue")).toEqual({ field: "overdue", descending: true });
  expect(nextClientSort({ field: "overdue", descending: true }, "overdue")).toEqual({ field: "overdue", descending: false });
  expect(nextClientSort({ field: "overdue", descending: true }, "name")).toEqual({ field: "name", descending: false });
});
