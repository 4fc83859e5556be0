/** Asks whether a write arrived whose answer was lost, and goes where that leads. */

import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useState } from "react";
import { useNavigation } from "../app/navigation";
import { useWorkplace } from "../app/workplace";
import { invoiceKey } from "../invoices/invoiceQuery";
import { listHasChanged } from "../invoices/pages";
import type { CommandError } from "../ipc/bindings";
import { commandError, commands } from "../ipc/call";
import { announce } from "../parts/announce";
import { atPlace } from "../session/atPlace";
import { useWords } from "../words/WordsProvider";
import { draftKey, draftsHaveChanged } from "./draftsQuery";

export interface OutcomeCheck {
  check: (key: string) => void;
  /** Key of the draft that is being asked for. */
  checking: string | null;
  error: CommandError | null;
}

export function useOutcomeCheck(): OutcomeCheck {
  const client = useQueryClient();
  const { t } = useWords();
  const { organization } = useWorkplace();
  const { go, open } = useNavigation();
  const [checking, setChecking] = useState<string | null>(null);
  const [error, setError] = useState<CommandError | null>(null);
  const { id } = organization;
  const ask = useCallback(
    async (key: string) => {
      setChecking(key);
      setError(null);
      try {
        const view = await atPlace(id, (at) => commands.checkOutcome(at, key));
        draftsHaveChanged(client, id);
        client.removeQueries({ queryKey: draftKey(id, key) });
        if (!view) {
          announce(t("outcome-not-arrived"));
          go({ name: "editor", draft: key });
          return;
        }
        client.setQueryData(invoiceKey(id, view.row.key), view);
        listHasChanged(client, id);
        announce(t("outcome-arrived"));
        open(view.row.key);
        go({ name: "invoices" });
      } catch (thrown) {
        setError(commandError(thrown));
      } finally {
        setChecking(null);
      }
    },
    [client, go, id, open, t],
  );
  return { check: (key) => void ask(key), checking, error };
}
