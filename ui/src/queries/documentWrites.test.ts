/** Tests of what a write to documents makes outdated. */
import { QueryClient } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { invalidateDocuments } from "./documentWrites";
import { noFilter, pageQuery } from "./invoicePages";
import { paymentsQuery } from "./paymentsQuery";
import { historyKey, relationsQuery } from "./relationQueries";
import { ageingQuery, buyerSumsQuery, clientOverviewQuery, monthlySumsQuery, overviewQuery, taxSumsQuery } from "./reportQueries";

const queries = (organization: string) => [
  pageQuery(organization, noFilter, 0),
  overviewQuery(organization),
  ageingQuery(organization),
  monthlySumsQuery(organization, "2026-01", "2026-11"),
  buyerSumsQuery(organization, "2026-01-01", "2026-11-30"),
  taxSumsQuery(organization, "2026-01-01", "2026-11-30"),
  relationsQuery(organization, "document"),
  { queryKey: historyKey(organization, "document") },
  paymentsQuery(organization, "document"),
  clientOverviewQuery("account", organization),
];

test("a write makes all that tells of the documents of its organization outdated, and nothing of another one", () => {
  const client = new QueryClient();
  const outdated = (organization: string) =>
    queries(organization).map(({ queryKey }) => client.getQueryState<unknown>(queryKey)?.isInvalidated);
  for (const { queryKey } of [...queries("1"), ...queries("2")]) client.setQueryData<unknown>(queryKey, {});
  invalidateDocuments(client, "1");
  expect(outdated("1")).toEqual(queries("1").map(() => true));
  expect(outdated("2")).toEqual(queries("2").map(() => false));
});
