/** Begins a draft, empty or from a content, and goes to it. */

import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useState } from "react";
import type { CommandError, Draft, InvoiceContent } from "../ipc/bindings";
import { commandError, commands } from "../ipc/call";
import { draftKey, invalidateDrafts } from "../queries/draftQueries";
import { useNavigation } from "../state/navigation";
import { withBinding } from "../state/withBinding";
import { useWorkspace } from "../state/workspace";

export interface NewDraft {
  start: (content: InvoiceContent | null) => void;
  /** Goes to a draft that the caller has put together. */
  edit: (draft: Draft) => Promise<void>;
  busy: boolean;
  error: CommandError | null;
}

export function useNewDraft(): NewDraft {
  const client = useQueryClient();
  const { organization } = useWorkspace();
  const { go, flushAutosaves } = useNavigation();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<CommandError | null>(null);
  const { id } = organization;

  const enter = useCallback(
    async (make: () => Promise<Draft>) => {
      setBusy(true);
      setError(null);
      try {
        await flushAutosaves();
        const draft = await make();
        client.setQueryData(draftKey(id, draft.key), draft);
        invalidateDrafts(client, id);
        go({ name: "editor", draft: draft.key });
      } catch (thrown) {
        setError(commandError(thrown));
      } finally {
        setBusy(false);
      }
    },
    [client, go, id, flushAutosaves],
  );
  const start = useCallback(
    (content: InvoiceContent | null) => void enter(() => withBinding(id, (binding) => commands.newDraft(binding, content))),
    [enter, id],
  );
  const edit = useCallback(
    (draft: Draft) =>
      enter(async () => {
        await withBinding(id, (binding) => commands.saveDraft(binding, draft));
        return draft;
      }),
    [enter, id],
  );
  return { start, edit, busy, error };
}
