/** Sends a saved draft. The core validates it first, by the rules of the service, so that an invalid draft is never sent. */

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { announce } from "../components/announce";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { CommandError } from "../ipc/bindings";
import { commandError, commands } from "../ipc/call";
import { invalidateDrafts } from "../queries/draftQueries";
import { invalidateInvoices } from "../queries/invoicePages";
import { invoiceKey } from "../queries/invoiceQuery";
import { useNavigation } from "../state/navigation";
import { withBinding } from "../state/withBinding";
import { useWorkspace } from "../state/workspace";
import type { DraftEditor } from "./useDraftEditor";

export interface Submission {
  busy: boolean;
  error: CommandError | null;
  submit: () => Promise<void>;
  clear: () => void;
}

export function useSubmission(editor: DraftEditor): Submission {
  const client = useQueryClient();
  const { t } = useLocalizer();
  const { organization } = useWorkspace();
  const { navigate, openInvoice } = useNavigation();
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
      const calculation = await withBinding(id, (binding) => commands.calculate(binding, draft.content));
      const { violations } = calculation;
      if (violations.length > 0) {
        editor.setCalculation(calculation);
        setError({ kind: "invalidArgument", violations, support: localSupport(id) });
        return;
      }
      const send = draft.changes === null ? commands.createDocument : commands.updateDocument;
      const view = await withBinding(id, (binding) => send(binding, draft.key));
      editor.stop();
      client.setQueryData(invoiceKey(id, view.row.key), view);
      invalidateInvoices(client, id);
      invalidateDrafts(client, id);
      announce(t("saved-announcement", { organization: organization.name }));
      openInvoice(view.row.key);
      navigate({ name: "invoices" });
    } catch (thrown) {
      const failed = commandError(thrown);
      if (failed.kind !== "offline") {
        setError(failed);
        return;
      }
      // The outbox sends the draft when there is a connection, so the editor stops saving it.
      editor.stop();
      invalidateDrafts(client, id);
      announce(t("queued-announcement", { organization: organization.name }));
      navigate({ name: "drafts" });
    } finally {
      setBusy(false);
    }
  }
  return { busy, error, submit, clear: () => setError(null) };
}

/** Local validation made no request, so there are no details for support. */
function localSupport(organization: string) {
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
