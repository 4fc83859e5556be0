/** Query of the attachments of a document. */

import { keepPreviousData, type QueryClient, queryOptions } from "@tanstack/react-query";
import type { AttachmentsView } from "../ipc/bindings";
import { commands } from "../ipc/call";
import { invoiceKey } from "../queries/invoiceQuery";
import { withBinding } from "../state/withBinding";

function attachmentsKey(organization: string, document: string) {
  return [organization, "attachments", document] as const;
}

/** `stamp` is that of the document as it is shown: another one has other attachments. Empty in the form. */
export function attachmentsQuery(organization: string, document: string, stamp: string) {
  return queryOptions({
    queryKey: [...attachmentsKey(organization, document), stamp] as const,
    queryFn: () => withBinding(organization, (binding) => commands.listAttachments(binding, document)),
    placeholderData: keepPreviousData,
    refetchOnMount: "always",
  });
}

/** Shows what a write has answered. The document has another stamp since. */
export function setAttachments(client: QueryClient, organization: string, document: string, view: AttachmentsView): void {
  const filter = { queryKey: attachmentsKey(organization, document) };
  // A read that began before the write may answer with what was before it, as in `setAnswer`.
  void client.cancelQueries(filter);
  client.setQueriesData(filter, view);
  void client.invalidateQueries({ queryKey: invoiceKey(organization, document) });
}
