/** Queries of reports and overviews. */

import { queryOptions } from "@tanstack/react-query";
import { call, commands } from "../ipc/call";
import { withBinding } from "../state/withBinding";

/** Age at which a report is read again when its screen is opened. */
const STALE_MS = 30_000;

export function ageingQuery(organization: string) {
  return queryOptions({
    queryKey: [organization, "reports", "ageing"] as const,
    queryFn: () => withBinding(organization, (binding) => commands.ageing(binding)),
    staleTime: STALE_MS,
  });
}

/** Sums of the months from one to another, as `2026-01`. */
export function monthlySumsQuery(organization: string, from: string, to: string) {
  return queryOptions({
    queryKey: [organization, "reports", "months", from, to] as const,
    queryFn: () => withBinding(organization, (binding) => commands.monthlySums(binding, from, to)),
    staleTime: STALE_MS,
  });
}

/** Sums of the buyers of documents that were issued in a period. */
export function buyerSumsQuery(organization: string, from: string, to: string) {
  return queryOptions({
    queryKey: [organization, "reports", "buyers", from, to] as const,
    queryFn: () => withBinding(organization, (binding) => commands.buyerSums(binding, from, to)),
    staleTime: STALE_MS,
  });
}

/** Taxes of the documents that were issued in a period. */
export function taxSumsQuery(organization: string, from: string, to: string) {
  return queryOptions({
    queryKey: [organization, "reports", "taxes", from, to] as const,
    queryFn: () => withBinding(organization, (binding) => commands.taxSums(binding, from, to)),
    staleTime: STALE_MS,
  });
}

export function overviewQuery(organization: string) {
  return queryOptions({
    queryKey: [organization, "overview"] as const,
    queryFn: () => withBinding(organization, (binding) => commands.overview(binding)),
    staleTime: STALE_MS,
  });
}

/** Queries of all organizations of an account. They belong to no organization of a window, and only read (decision 0135). */
export function clientOverviewQuery(account: string, organization: string) {
  return queryOptions({
    queryKey: ["clients", account, organization] as const,
    queryFn: () => call(commands.clientOverview(organization)),
    staleTime: STALE_MS,
    gcTime: 300_000,
  });
}

/** The overviews that were read last, by organization. */
export function keptOverviewsQuery(account: string) {
  return queryOptions({
    queryKey: ["clients", account, "kept"] as const,
    queryFn: async () => new Map((await call(commands.keptClientOverviews())).map((each) => [each.organization, each])),
    staleTime: 0,
    gcTime: 0,
  });
}
