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

/** The key of the revisions of a document. */
export function historyKey(organization: string, key: string) {
  return [organization, "history", key] as const;
}

/** A page of them, newest first. */
export function readHistory(organization: string, key: string, page: string) {
  return withBinding(organization, (binding) => commands.getHistory(binding, key, page));
}
