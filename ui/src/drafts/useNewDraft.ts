/** Creates a draft, empty or with content, or finds the one that is kept, and opens it in the editor. */

import { type QueryClient, useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useRef } from "react";
import type { CommandError, Draft, InvoiceContent } from "../ipc/bindings";
import { commandError, commands } from "../ipc/call";
import { useCommandCalls } from "../ipc/useCommandCalls";
import { defaultsQuery } from "../queries/defaultsQuery";
import { draftKey, invalidateDrafts, openDraft } from "../queries/draftQueries";
import { useDocumentPermissions } from "../queries/permissionsQuery";
import { useNavigation } from "../state/navigation";
import { withBinding } from "../state/withBinding";
import { useWorkspace } from "../state/workspace";

/** How long a new document waits for what is known of its organization. */
const DEFAULTS_MS = 300;

export interface NewDraft {
  /** Whether it was created; if not, `error` says why, or another one is being created. */
  start: (content: InvoiceContent | null) => Promise<boolean>;
  /** Opens the draft that is kept under the same key, with what was typed in it; without one, saves this draft and opens it. */
  edit: (draft: Draft) => Promise<boolean>;
  /** Whether new documents are offered to the person: not if the service says that it refuses them. */
  offered: boolean;
  /** Whether one can be made now: not while the user acts as somebody else (decision 0145). */
  available: boolean;
  busy: boolean;
  error: CommandError | null;
}

/** `onError` is for a place that does not show `error`. */
export function useNewDraft(onError?: (error: CommandError) => void): NewDraft {
  const client = useQueryClient();
  const { organization, session } = useWorkspace();
  const { navigate, flushAutosaves } = useNavigation();
  const { run, busy, error } = useCommandCalls(onError);
  const { id } = organization;
  useQuery(defaultsQuery(id));
  const offered = useDocumentPermissions().createDocuments;

  // A key that repeats comes before the next render.
  const running = useRef(false);
  const openInEditor = useCallback(
    async (createDraft: () => Promise<Draft>) => {
      if (running.current) return false;
      running.current = true;
      const isOpened = await run(async () => {
        await flushAutosaves();
        const [draft] = await Promise.all([createDraft(), known(client, id)]);
        client.setQueryData(draftKey(id, draft.key), draft);
        invalidateDrafts(client, id);
        navigate({ name: "editor", draft: draft.key });
      });
      running.current = false;
      return isOpened;
    },
    [run, client, navigate, id, flushAutosaves],
  );
  const start = useCallback(
    (content: InvoiceContent | null) => openInEditor(() => withBinding(id, (binding) => commands.newDraft(binding, content))),
    [openInEditor, id],
  );
  const edit = useCallback(
    (draft: Draft) =>
      openInEditor(async () => {
        const kept = await keptDraft(client, id, draft.key);
        if (kept && !isOutdated(kept, draft)) return kept;
        await withBinding(id, (binding) => commands.saveDraft(binding, draft));
        return draft;
      }),
    [openInEditor, client, id],
  );
  return { start, edit, offered, available: offered && session.impersonation === null, busy, error };
}

/** The draft of a key. One of a newer version of this application counts as none: the core keeps its file under another name. */
async function keptDraft(client: QueryClient, organization: string, key: string): Promise<Draft | null> {
  try {
    return await openDraft(client, organization, key);
  } catch (thrown) {
    if (["draftNotFound", "unknownDraftVersion"].includes(commandError(thrown).kind)) return null;
    throw thrown;
  }
}

/** Whether nothing was typed in a draft, and its document has changed since. */
function isOutdated({ state, changes, content }: Draft, { changes: current }: Draft): boolean {
  if (state !== "editing" || !changes || changes.stamp === current?.stamp) return false;
  return JSON.stringify(content) === JSON.stringify(changes.content);
}

/** What a new document begins with is known after the first look at the organization, and not worth waiting for. */
async function known(client: QueryClient, organization: string): Promise<void> {
  const asked = client.ensureQueryData(defaultsQuery(organization)).catch(() => undefined);
  await Promise.race([asked, new Promise((resolve) => setTimeout(resolve, DEFAULTS_MS))]);
}
