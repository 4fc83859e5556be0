/** Runs a lifecycle action on an invoice: issue or freeze. */

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
  run: (action: LifecycleAction) => void;
  /** Repeats the last action. */
  retry: () => void;
  /** Refetches the invoice. */
  reload: () => void;
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

  const reload = () => {
    setError(null);
    void client.invalidateQueries({ queryKey: invoiceKey(id, row.key) });
    invalidateInvoices(client, id);
  };
  const run = async (action: LifecycleAction) => {
    last.current = action;
    setBusy(true);
    setError(null);
    const command = action === "issue" ? commands.issueDocument : commands.freezeDocument;
    try {
      const view = await withBinding(id, (binding) => command(binding, row.key, row.stamp));
      client.setQueryData(invoiceKey(id, row.key), view);
      invalidateInvoices(client, id);
      announce(t(action === "issue" ? "issued-announcement" : "frozen-announcement", { number: view.row.number }));
      onDone();
    } catch (thrown) {
      const failure = commandError(thrown);
      // Show the current document at once. The user decides whether to repeat the action.
      if ("current" in failure && failure.current) client.setQueryData(invoiceKey(id, row.key), failure.current);
      setError(failure);
    } finally {
      setBusy(false);
    }
  };
  return {
    run: (action) => void run(action),
    retry: () => {
      if (last.current) void run(last.current);
    },
    reload,
    busy,
    error,
  };
}
