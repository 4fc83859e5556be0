/** Drafts of the organization as the core keeps them. */

import { type QueryClient, queryOptions } from "@tanstack/react-query";
import { commands } from "../ipc/call";
import { atPlace } from "../session/atPlace";

export function draftsQuery(organization: string) {
  return queryOptions({
    queryKey: [organization, "drafts"] as const,
    queryFn: () => atPlace(organization, (at) => commands.drafts(at)),
  });
}

export function draftKey(organization: string, key: string) {
  return [organization, "draft", key] as const;
}

/** One draft. It is read anew each time it is opened: what was typed is the truth. */
export function draftQuery(organization: string, key: string) {
  return queryOptions({
    queryKey: draftKey(organization, key),
    queryFn: () => atPlace(organization, (at) => commands.openDraft(at, key)),
    gcTime: 0,
  });
}

export function draftsHaveChanged(client: QueryClient, organization: string): void {
  void client.invalidateQueries({ queryKey: [organization, "drafts"] });
}
