/** Queries of the drafts that the core stores. */

import { type QueryClient, queryOptions } from "@tanstack/react-query";
import type { CommandError, Draft, DraftState, DraftSummary } from "../ipc/bindings";
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

function toldKey(organization: string) {
  return [organization, "told-drafts"] as const;
}

/**
 * Notes that this window says itself what has become of a draft, as of one that it has deleted, and reads the list again. The outbox has not
 * sent what is gone from the list then.
 */
export function noteTold(client: QueryClient, organization: string, key: string): void {
  client.setQueryData<readonly string[]>(toldKey(organization), (keys = []) => [...keys, key]);
  invalidateDrafts(client, organization);
}

/** The keys of drafts that `noteTold` has noted and that are gone from the list, each once. */
export function takeTold(
  client: QueryClient,
  organization: string,
  drafts: readonly Pick<DraftSummary, "key">[],
): ReadonlySet<string> {
  const listed = new Set(drafts.map(({ key }) => key));
  const noted = client.getQueryData<readonly string[]>(toldKey(organization)) ?? [];
  const left = noted.filter((key) => listed.has(key));
  if (left.length < noted.length) client.setQueryData(toldKey(organization), left);
  return new Set(noted.filter((key) => !listed.has(key)));
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
