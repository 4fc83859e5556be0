/** Query of one invoice. */

import { queryOptions } from "@tanstack/react-query";
import { commands } from "../ipc/call";
import { withBinding } from "../state/withBinding";

export function invoiceKey(organization: string, key: string) {
  return [organization, "invoice", key] as const;
}

export function invoiceQuery(organization: string, key: string) {
  return queryOptions({
    queryKey: invoiceKey(organization, key),
    queryFn: () => withBinding(organization, (binding) => commands.getInvoice(binding, key)),
    staleTime: 15_000,
  });
}
