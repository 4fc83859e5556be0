/** Query of what a new document begins with. */

import { queryOptions } from "@tanstack/react-query";
import { commands } from "../ipc/call";
import { withBinding } from "../state/withBinding";

/** The country of an organization does not change while the window is open. */
export function defaultsQuery(organization: string) {
  return queryOptions({
    queryKey: [organization, "document-defaults"] as const,
    queryFn: () => withBinding(organization, (binding) => commands.documentDefaults(binding)),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  });
}
