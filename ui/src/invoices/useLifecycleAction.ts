/** Takes an invoice a step on in its life: issue it, freeze it. */

import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { announce } from "../components/announce";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { CommandError, InvoiceView } from "../ipc/bindings";
import { commandError, commands } from "../ipc/call";
import { invalidateInvoices } from "../queries/invoicePages";
import { invoiceKey } from "../queries/invoiceQuery";
import { withBinding } from "../state/withBinding";
import { useWorkspace } from "../state/workspace";

export type LifecycleAction = "issue" | "freeze";

export interface LifecycleActionState {
  take: (step: LifecycleAction) => void;
  /** The last step once more. */
  again: () => void;
  /** Reads the invoice anew, to see what it is now. */
  reread: () => void;
  busy: boolean;
  error: CommandError | null;
}

export function useLifecycleAction({ row }: InvoiceView, onDone: () => void): LifecycleActionState {
  const client = useQueryClient();
  const { t } = useLocalizer();
  const { organization } = useWorkspace();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<CommandError | null>(null);
  const last = useRef<LifecycleAction | null>(null);
  const { id } = organization;

  const reread = () => {
    setError(null);
    void client.invalidateQueries({ queryKey: invoiceKey(id, row.key) });
    invalidateInvoices(client, id);
  };
  const take = async (step: LifecycleAction) => {
    last.current = step;
    setBusy(true);
    setError(null);
    const command = step === "issue" ? commands.issueDocument : commands.freezeDocument;
    try {
      const view = await withBinding(id, (binding) => command(binding, row.key, row.stamp));
      client.setQueryData(invoiceKey(id, row.key), view);
      invalidateInvoices(client, id);
      announce(t(step === "issue" ? "issued-announcement" : "frozen-announcement", { number: view.row.number }));
      onDone();
    } catch (thrown) {
      const failure = commandError(thrown);
      // What the service has now is shown at once; the step is for the person to repeat.
      if ("current" in failure && failure.current) client.setQueryData(invoiceKey(id, row.key), failure.current);
      setError(failure);
    } finally {
      setBusy(false);
    }
  };
  return {
    take: (step) => void take(step),
    again: () => {
      if (last.current) void take(last.current);
    },
    reread,
    busy,
    error,
  };
}
