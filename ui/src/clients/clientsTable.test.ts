/** Tests of the list of clients as rows of a file. */

import { expect, test } from "vitest";
import { organizations } from "../gallery/fixtures";
import { createLocalizer } from "../i18n/localizer";
import type { Overview } from "../ipc/bindings";
import { clientsTable } from "./clientsTable";

const [organization = expect.fail("there are sample organizations"), other = expect.fail("there are two")] = organizations;
const localizer = createLocalizer("en", "latin");

/** The lengths of the bars are those of what is not due, and of 1 to 30 days after the due date. */
const open = (currency: string, notDue: number, late: number) => ({
  currency,
  buckets: [notDue, late].map((length) => ({ amount: "", length })),
  overdue: "5.00",
  open: "12.00",
});
const overview = {
  drafts: { count: 3 },
  rejected: null,
  overdue: { count: 1 },
  ageing: [open("SAR", 1, 1), open("USD", 1, 0), open("AED", 0, 0)],
  asOf: "2026-11-26T08:00:00Z",
} as unknown as Overview;

test("each currency has a row with its amounts, and the counts of the client are there once", () => {
  const [, ...rows] = clientsTable([{ organization, overview, unsent: 2 }], localizer);
  const client = [organization.name, organization.domain];
  expect(rows).toEqual([
    [...client, "3", "", "1", "2", "SAR", "5.00", "12.00", "2026-11-26T08:00:00Z"],
    [...client, "", "", "", "", "USD", "", "12.00", "2026-11-26T08:00:00Z"],
  ]);
});

test("a client of which nothing is known has a row, as wide as that of the names", () => {
  const [names, ...rows] = clientsTable([{ organization: other, overview: undefined, unsent: undefined }], localizer);
  expect(rows).toEqual([[other.name, other.domain, "", "", "", "", "", "", "", ""]]);
  expect(names).toHaveLength(10);
});
