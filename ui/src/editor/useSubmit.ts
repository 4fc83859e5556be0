/** Has the kept draft sent: checked here first, by the same rules as the service's, so that nothing travels that cannot be accepted. */

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useNavigation } from "../app/navigation";
import { useWorkplace } from "../app/workplace";
import { draftsHaveChanged } from "../drafts/draftsQuery";
import { invoiceKey } from "../invoices/invoiceQuery";
import { listHasChanged } from "../invoices/pages";
import type { CommandError } from "../ipc/bindings";
import { commandError, commands } from "../ipc/call";
import { announce } from "../parts/announce";
import { atPlace } from "../session/atPlace";
import { useWords } from "../words/WordsProvider";
import type { DraftEditor } from "./useDraftEditor";

export interface Submission {
  busy: boolean;
  error: CommandError | null;
  submit: () => Promise<void>;
  clear: () => void;
}

export function useSubmit(editor: DraftEditor): Submission {
  const client = useQueryClient();
  const { t } = useWords();
  const { organization } = useWorkplace();
  const { go, open } = useNavigation();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<CommandError | null>(null);
  const { id } = organization;
  const { draft } = editor.state;

  async function submit() {
    if (busy) return;
    setBusy(true);
    setError(null);
    try {
      await editor.flush();
      const calculation = await atPlace(id, (at) => commands.calculate(at, draft.content));
      const { violations } = calculation;
      if (violations.length > 0) {
        editor.calculated(calculation);
        setError({ kind: "invalidArgument", violations, support: unsent(id) });
        return;
      }
      const view = await atPlace(id, (at) => commands.sendDraft(at, draft.key));
      editor.stop();
      client.setQueryData(invoiceKey(id, view.row.key), view);
      listHasChanged(client, id);
      draftsHaveChanged(client, id);
      announce(t("saved-announcement", { organization: organization.name }));
      open(view.row.key);
      go({ name: "invoices" });
    } catch (thrown) {
      const failed = commandError(thrown);
      if (failed.kind !== "offline") {
        setError(failed);
        return;
      }
      // It waits for a connection now, and leaves by itself: the form lets go of it.
      editor.stop();
      draftsHaveChanged(client, id);
      announce(t("kept-for-later", { organization: organization.name }));
      go({ name: "drafts" });
    } finally {
      setBusy(false);
    }
  }
  return { busy, error, submit, clear: () => setError(null) };
}

/** What is wrong was found here: no request was made that support could look for. */
function unsent(organization: string) {
  return {
    code: null,
    status: null,
    operation: "calculate",
    organization,
    time: "",
    correlationId: "",
    message: "",
    retryAfter: null,
  };
}
