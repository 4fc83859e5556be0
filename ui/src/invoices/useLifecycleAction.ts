/** Runs lifecycle actions on an invoice: issue, freeze, or one after the other. */

import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { announce } from "../components/announce";
import { useShowError } from "../errors/useShowError";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { CommandError, InvoiceView } from "../ipc/bindings";
import { invalidateDocuments } from "../queries/documentWrites";
import { invoiceKey } from "../queries/invoiceQuery";
import { useWorkspace } from "../state/workspace";
import { type LifecycleAction, runLifecycleSteps, setUnfinishedSteps } from "./lifecycleSteps";

export interface LifecycleActionState {
  run: (steps: readonly LifecycleAction[]) => void;
  /** Repeats what was left of the last run. */
  retry: () => void;
  /** Forgets the error. */
  dismiss: () => void;
  /** Refetches the invoice. */
  reload: () => void;
  busy: boolean;
  error: CommandError | null;
}

export function useLifecycleAction(document: InvoiceView, onDone: () => void): LifecycleActionState {
  const client = useQueryClient();
  const { t } = useLocalizer();
  const { organization } = useWorkspace();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<CommandError | null>(null);
  const left = useRef<readonly LifecycleAction[]>([]);
  const showError = useShowError();
  const { id } = organization;
  const { key } = document.row;

  const reload = () => {
    setError(null);
    void client.invalidateQueries({ queryKey: invoiceKey(id, key) });
    invalidateDocuments(client, id);
  };
  const run = async (steps: readonly LifecycleAction[]) => {
    setBusy(true);
    setError(null);
    const { view, unfinished } = await runLifecycleSteps(client, id, document, steps);
    setBusy(false);
    left.current = unfinished?.steps ?? [];
    // Of one step the error is shown where it was asked for.
    setUnfinishedSteps(client, id, key, steps.length > 1 ? unfinished : null);
    // Another document may be open by now.
    if (unfinished) {
      showError(unfinished.error, setError);
      return;
    }
    announce(t(steps.at(-1) === "issue" ? "issued-announcement" : "frozen-announcement", { number: view.row.number }));
    onDone();
  };
  return {
    run: (steps) => void run(steps),
    retry: () => void run(left.current),
    dismiss: () => setError(null),
    reload,
    busy,
    error,
  };
}
