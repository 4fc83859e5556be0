/** One invoice whole. */

import { queryOptions } from "@tanstack/react-query";
import { commands } from "../ipc/call";
import { atPlace } from "../session/atPlace";

export function invoiceKey(organization: string, key: string) {
  return [organization, "invoice", key] as const;
}

export function invoiceQuery(organization: string, key: string) {
  return queryOptions({
    queryKey: invoiceKey(organization, key),
    queryFn: () => atPlace(organization, (at) => commands.getInvoice(at, key)),
    staleTime: 15_000,
  });
}
