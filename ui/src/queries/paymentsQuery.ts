/** Query of the payments of a document. */

import { type QueryClient, queryOptions } from "@tanstack/react-query";
import type { PaymentsView } from "../ipc/bindings";
import { commands } from "../ipc/call";
import { withBinding } from "../state/withBinding";
import { invalidateDocuments } from "./documentWrites";
import { setAnswer } from "./setAnswer";

/** Age at which they are read again when they are shown: somebody else may have recorded one. */
const STALE_MS = 15_000;

function paymentsKey(organization: string, document: string) {
  return [organization, "payments", document] as const;
}

export function paymentsQuery(organization: string, document: string) {
  return queryOptions({
    queryKey: paymentsKey(organization, document),
    queryFn: () => withBinding(organization, (binding) => commands.payments(binding, document)),
    staleTime: STALE_MS,
  });
}

/** Shows what a write has answered, also in the lists. */
export function setPayments(client: QueryClient, organization: string, document: string, payments: PaymentsView): void {
  setAnswer(client, paymentsKey(organization, document), payments);
  invalidateDocuments(client, organization);
}
