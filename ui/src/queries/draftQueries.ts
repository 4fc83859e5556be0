/** Queries of the drafts that the core stores. */

import { type QueryClient, queryOptions } from "@tanstack/react-query";
import type { CommandError, Draft, DraftState } from "../ipc/bindings";
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

/** Under the key of the drafts: the outbox finds out that a document is gone. */
export function filesWithoutDocumentQuery(organization: string) {
  return queryOptions({
    queryKey: [organization, "drafts", "files-without-document"] as const,
    queryFn: () => withBinding(organization, (binding) => commands.listFilesWithoutDocument(binding)),
  });
}

export function draftKey(organization: string, key: string) {
  return [organization, "draft", key] as const;
}

/** One draft. Its form begins with it and forgets it at its end: the stored draft is the current one. */
export function draftQuery(organization: string, key: string) {
  return queryOptions({
    queryKey: draftKey(organization, key),
    queryFn: ({ client }) => openDraft(client, organization, key),
    gcTime: 0,
  });
}

/** Opens a draft as it is kept. One that waits is edited again. */
export async function openDraft(client: QueryClient, organization: string, key: string): Promise<Draft> {
  const draft = await withBinding(organization, (binding) => commands.openDraft(binding, key));
  noteDraftState(client, organization, key, draft.state);
  return draft;
}

/**
 * Notes in the list at once what this window has made of a draft, and reads the list again. A draft that waited when it was listed last, and
 * is not listed any more, was sent by the outbox.
 */
export function noteDraftState(client: QueryClient, organization: string, key: string, state: DraftState): void {
  client.setQueryData(draftsQuery(organization).queryKey, (list) =>
    list?.map((draft) => (draft.key === key ? { ...draft, state } : draft)),
  );
  invalidateDrafts(client, organization);
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
