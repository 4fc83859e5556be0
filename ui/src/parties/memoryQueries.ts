/** Queries of remembered buyers and items. */

import { type QueryClient, queryOptions } from "@tanstack/react-query";
import type { BuyerContent, DueTerms, RememberedDifferences } from "../ipc/bindings";
import { commands } from "../ipc/call";
import { withBinding } from "../state/withBinding";
import { invalidateChanged } from "../windows/useChangedData";

/** An answer is used again while one document is written. */
const FRESH_MS = 30_000;

export function partiesQuery(organization: string, text: string) {
  return queryOptions({
    queryKey: [organization, "parties", text] as const,
    queryFn: () => withBinding(organization, (binding) => commands.searchParties(binding, text)),
    staleTime: FRESH_MS,
    gcTime: FRESH_MS,
  });
}

/** The remembered buyer with this tax id, or with this name if it has none. */
export function knownPartyQuery(organization: string, buyer: BuyerContent) {
  return queryOptions({
    queryKey: [organization, "parties", "known", buyer.taxId, buyer.name.en, buyer.name.ar] as const,
    queryFn: () => withBinding(organization, (binding) => commands.knownParty(binding, buyer)),
    staleTime: FRESH_MS,
    gcTime: FRESH_MS,
  });
}

/** Why a buyer may be the wrong one for the organization (decision 0183). */
export function buyerDoubtQuery(organization: string, buyer: BuyerContent) {
  return queryOptions({
    queryKey: [organization, "parties", "doubt", buyer.taxId, buyer.name.en, buyer.name.ar] as const,
    queryFn: () => withBinding(organization, (binding) => commands.buyerDoubt(binding, buyer)),
    staleTime: FRESH_MS,
    gcTime: FRESH_MS,
  });
}

export function itemsQuery(organization: string, text: string) {
  return queryOptions({
    queryKey: [organization, "items", text] as const,
    queryFn: () => withBinding(organization, (binding) => commands.searchItems(binding, text)),
    staleTime: FRESH_MS,
    gcTime: FRESH_MS,
  });
}

export function lastPriceQuery(organization: string, item: string, party: string) {
  return queryOptions({
    queryKey: [organization, "items", "last-price", item, party] as const,
    queryFn: () => withBinding(organization, (binding) => commands.lastPrice(binding, item, party)),
    staleTime: FRESH_MS,
    gcTime: FRESH_MS,
  });
}

/**
 * Remembers buyer and items of a document that was saved, and for its detail what it says otherwise. `dueTerms` have given its due date. It is
 * quiet: what fails is remembered with the next document.
 */
export async function rememberDocument(
  client: QueryClient,
  organization: string,
  key: string,
  dueTerms: DueTerms | null,
): Promise<void> {
  try {
    const differences = await withBinding(organization, (binding) => commands.rememberDocument(binding, key, dueTerms));
    setDifferences(client, organization, key, differences);
  } catch {
    // It is an aid.
  } finally {
    invalidateChanged(client, organization, "masterData");
  }
}

/** What a document that was saved says otherwise than is remembered. It is told once, and never read. */
export function differencesQuery(organization: string, document: string) {
  return queryOptions({
    queryKey: [organization, "remembered-differences", document] as const,
    queryFn: (): RememberedDifferences | null => null,
    enabled: false,
  });
}

export function setDifferences(
  client: QueryClient,
  organization: string,
  document: string,
  differences: RememberedDifferences | null,
): void {
  client.setQueryData(differencesQuery(organization, document).queryKey, differences);
}
