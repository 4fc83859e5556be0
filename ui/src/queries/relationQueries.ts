/** Queries of what a document has to do with others, and of how it came to be. */

import { queryOptions } from "@tanstack/react-query";
import { commands } from "../ipc/call";
import { withBinding } from "../state/withBinding";

/** Age at which they are read again when they are shown: somebody else may have credited the document. */
const STALE_MS = 15_000;

export function relationsQuery(organization: string, key: string) {
  return queryOptions({
    queryKey: [organization, "relations", key] as const,
    queryFn: () => withBinding(organization, (binding) => commands.getRelations(binding, key)),
    staleTime: STALE_MS,
  });
}

/** All revisions of a document, newest first. They are large, so they are not kept after their panel is closed. */
export function historyQuery(organization: string, key: string) {
  return queryOptions({
    queryKey: [organization, "history", key] as const,
    queryFn: () => withBinding(organization, (binding) => commands.getHistory(binding, key)),
    staleTime: STALE_MS,
    gcTime: 60_000,
  });
}
