/** Creates a draft, empty or with content, and opens it in the editor. */

import { type QueryClient, useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useState } from "react";
import type { CommandError, Draft, InvoiceContent } from "../ipc/bindings";
import { commandError, commands } from "../ipc/call";
import { defaultsQuery } from "../parties/memoryQueries";
import { draftKey, invalidateDrafts } from "../queries/draftQueries";
import { useDocumentPermissions } from "../queries/permissionsQuery";
import { useNavigation } from "../state/navigation";
import { withBinding } from "../state/withBinding";
import { useWorkspace } from "../state/workspace";

/** How long a new document waits for what is known of its organization. */
const DEFAULTS_MS = 300;

export interface NewDraft {
  /** Whether it was created; if not, `error` says why. */
  start: (content: InvoiceContent | null) => Promise<boolean>;
  /** Saves the draft and opens it in the editor. */
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
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<CommandError | null>(null);
  const { id } = organization;
  useQuery(defaultsQuery(id));
  const offered = useDocumentPermissions().createDocuments;

  const openInEditor = useCallback(
    async (createDraft: () => Promise<Draft>) => {
      setBusy(true);
      setError(null);
      try {
        await flushAutosaves();
        const [draft] = await Promise.all([createDraft(), known(client, id)]);
        client.setQueryData(draftKey(id, draft.key), draft);
        invalidateDrafts(client, id);
        navigate({ name: "editor", draft: draft.key });
        return true;
      } catch (thrown) {
        setError(commandError(thrown));
        onError?.(commandError(thrown));
        return false;
      } finally {
        setBusy(false);
      }
    },
    [client, navigate, id, flushAutosaves, onError],
  );
  const start = useCallback(
    (content: InvoiceContent | null) => openInEditor(() => withBinding(id, (binding) => commands.newDraft(binding, content))),
    [openInEditor, id],
  );
  const edit = useCallback(
    (draft: Draft) =>
      openInEditor(async () => {
        await withBinding(id, (binding) => commands.saveDraft(binding, draft));
        return draft;
      }),
    [openInEditor, id],
  );
  return { start, edit, offered, available: offered && session.impersonation === null, busy, error };
}

/** What a new document begins with is known after the first look at the organization, and not worth waiting for. */
async function known(client: QueryClient, organization: string): Promise<void> {
  const asked = client.ensureQueryData(defaultsQuery(organization)).catch(() => undefined);
  await Promise.race([asked, new Promise((resolve) => setTimeout(resolve, DEFAULTS_MS))]);
}
