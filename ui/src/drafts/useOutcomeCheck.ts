/** Checks whether a write with a lost answer has arrived, and opens the document or the draft. */

import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useState } from "react";
import { showStatus } from "../components/statusMessage";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { CommandError } from "../ipc/bindings";
import { commandError, commands } from "../ipc/call";
import { invalidateDrafts, restartDraft } from "../queries/draftQueries";
import { useNavigation } from "../state/navigation";
import { withBinding } from "../state/withBinding";
import { useWorkspace } from "../state/workspace";
import { useArrivedDocument } from "./useArrivedDocument";

export interface OutcomeCheck {
  check: (key: string) => void;
  /** Key of the draft that is being checked. */
  checking: string | null;
  error: CommandError | null;
}

export function useOutcomeCheck(): OutcomeCheck {
  const client = useQueryClient();
  const { t } = useLocalizer();
  const { organization } = useWorkspace();
  const { navigate } = useNavigation();
  const openArrived = useArrivedDocument();
  const [checking, setChecking] = useState<string | null>(null);
  const [error, setError] = useState<CommandError | null>(null);
  const { id } = organization;
  const run = useCallback(
    async (key: string) => {
      setChecking(key);
      setError(null);
      try {
        const view = await withBinding(id, (binding) => commands.checkOutcome(binding, key));
        if (view) {
          openArrived(key, view, t("outcome-arrived"));
          return;
        }
        invalidateDrafts(client, id);
        showStatus(t("outcome-not-arrived"));
        await restartDraft(client, id, key);
        navigate({ name: "editor", draft: key });
      } catch (thrown) {
        setError(commandError(thrown));
      } finally {
        setChecking(null);
      }
    },
    [client, navigate, id, openArrived, t],
  );
  return { check: (key) => void run(key), checking, error };
}
