/** Queries of the drafts that the core stores. */

import { type QueryClient, queryOptions } from "@tanstack/react-query";
import type { CommandError } from "../ipc/bindings";
import { commands } from "../ipc/call";
import { withBinding } from "../state/withBinding";

export function draftsQuery(organization: string) {
  return queryOptions({
    queryKey: [organization, "drafts"] as const,
    queryFn: () => withBinding(organization, (binding) => commands.drafts(binding)),
  });
}

export function unreadableDraftsQuery(organization: string) {
  return queryOptions({
    queryKey: [organization, "drafts", "unreadable"] as const,
    queryFn: () => withBinding(organization, (binding) => commands.unreadableDrafts(binding)),
  });
}

export function draftKey(organization: string, key: string) {
  return [organization, "draft", key] as const;
}

/** One draft. Its form begins with it and forgets it at its end: the stored draft is the current one. */
export function draftQuery(organization: string, key: string) {
  return queryOptions({
    queryKey: draftKey(organization, key),
    queryFn: () => withBinding(organization, (binding) => commands.openDraft(binding, key)),
    gcTime: 0,
  });
}

/** Removes what a form began with. A draft that was put into the cache is kept there by the usual time, whatever its query says. */
export function forgetDraft(client: QueryClient, organization: string, key: string): void {
  client.removeQueries({ queryKey: draftKey(organization, key) });
}

/** Reads a draft again, for a form that begins anew with it. */
export function restartDraft(client: QueryClient, organization: string, key: string): Promise<void> {
  return client.resetQueries({ queryKey: draftKey(organization, key), exact: true });
}

function refusalKey(organization: string, key: string) {
  return [...draftKey(organization, key), "refusal"] as const;
}

/** Keeps why the service has refused to issue a document, if its violations are why, for the form that opens next. */
export function keepRefusal(client: QueryClient, organization: string, key: string, error: CommandError | null): void {
  client.setQueryData<CommandError | null>(refusalKey(organization, key), error?.kind === "invalidArgument" ? error : null);
}

/** What a form that opens has been told by `keepRefusal`. It forgets it with its draft. */
export function refusalOf(client: QueryClient, organization: string, key: string): CommandError | null {
  return client.getQueryData<CommandError | null>(refusalKey(organization, key)) ?? null;
}

export function invalidateDrafts(client: QueryClient, organization: string): void {
  void client.invalidateQueries({ queryKey: [organization, "drafts"] });
}
