/** What a write to documents makes outdated. Every write ends here, so that no screen shows what was before it. */

import type { QueryClient } from "@tanstack/react-query";

/** Queries of the organization that tell something of its documents as a whole. */
const OF_ALL_DOCUMENTS = ["invoices", "overview", "reports"];

/** Queries of one document that other documents change as well: a credit note takes from what is open of its invoice. */
const OF_RELATED_DOCUMENTS = ["relations", "history", "payments"];

/** Reads lists, today, insights, relations and history again after a write to documents or their payments. */
export function invalidateDocuments(client: QueryClient, organization: string): void {
  for (const subject of [...OF_ALL_DOCUMENTS, ...OF_RELATED_DOCUMENTS]) {
    void client.invalidateQueries({ queryKey: [organization, subject] });
  }
  // The overview of all clients has the organization as its last element.
  void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] === "clients" && queryKey[2] === organization });
}
