/** Takes an invoice a step on in its life: issue it, freeze it. */

import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { useWorkplace } from "../app/workplace";
import type { CommandError, InvoiceView } from "../ipc/bindings";
import { commandError, commands } from "../ipc/call";
import { announce } from "../parts/announce";
import { atPlace } from "../session/atPlace";
import { useWords } from "../words/WordsProvider";
import { invoiceKey } from "./invoiceQuery";
import { listHasChanged } from "./pages";

export type InvoiceStep = "issue" | "freeze";

export interface InvoiceSteps {
  take: (step: InvoiceStep) => void;
  /** The last step once more. */
  again: () => void;
  /** Reads the invoice anew, to see what it is now. */
  reread: () => void;
  busy: boolean;
  error: CommandError | null;
}

export function useInvoiceStep({ row }: InvoiceView, onDone: () => void): InvoiceSteps {
  const client = useQueryClient();
  const { t } = useWords();
  const { organization } = useWorkplace();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<CommandError | null>(null);
  const last = useRef<InvoiceStep | null>(null);
  const { id } = organization;

  const reread = () => {
    setError(null);
    void client.invalidateQueries({ queryKey: invoiceKey(id, row.key) });
    listHasChanged(client, id);
  };
  const take = async (step: InvoiceStep) => {
    last.current = step;
    setBusy(true);
    setError(null);
    const command = step === "issue" ? commands.issueDocument : commands.freezeInvoice;
    try {
      const view = await atPlace(id, (at) => command(at, row.key, row.stamp));
      client.setQueryData(invoiceKey(id, row.key), view);
      listHasChanged(client, id);
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
