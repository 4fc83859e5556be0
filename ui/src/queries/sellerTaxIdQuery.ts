/** Query of the tax number of an organization, as its documents have it. */

import { queryOptions } from "@tanstack/react-query";
import { commands } from "../ipc/call";
import { withBinding } from "../state/withBinding";

export function sellerTaxIdQuery(organization: string) {
  return queryOptions({
    queryKey: [organization, "seller-tax-id"] as const,
    queryFn: () => withBinding(organization, (binding) => commands.sellerTaxId(binding)),
  });
}
