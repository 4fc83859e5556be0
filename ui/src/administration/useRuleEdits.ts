/** Changes of the rules that are not published. The core keeps them: they are there again after the view, or the application, was left. */

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useSyncExternalStore } from "react";
import { createAutosave } from "../editor/autosave";
import type { CommandError, RuleEdits } from "../ipc/bindings";
import { commandError, commands } from "../ipc/call";
import { setAnswer } from "../queries/setAnswer";
import { useNavigation } from "../state/navigation";
import { withBinding } from "../state/withBinding";
import { useWorkspace } from "../state/workspace";

export interface RuleEditsState {
  /** `undefined` until they are read. */
  kept: RuleEdits | undefined;
  /** Keeps them on this computer. */
  keep: (edits: RuleEdits) => void;
  /** Why they could not be read, or why the last change is not kept on this computer: then it is in this window. */
  error: CommandError | null;
  /** Reads them again. */
  retry: () => void;
}

export const noEdits: RuleEdits = { stamp: "", cells: [], comment: "" };

export function useRuleEdits(): RuleEditsState {
  const client = useQueryClient();
  const { registerAutosave } = useNavigation();
  const { id } = useWorkspace().organization;
  const queryKey = useMemo(() => [id, "rule-edits"] as const, [id]);
  const query = useQuery({
    queryKey,
    queryFn: () => withBinding(id, (binding) => commands.ruleEdits(binding)),
    // While somebody acts as another person, only the window has them.
    gcTime: Number.POSITIVE_INFINITY,
  });
  const autosave = useMemo(
    () => createAutosave((edits: RuleEdits) => withBinding(id, (binding) => commands.saveRuleEdits(binding, edits))),
    [id],
  );
  useEffect(() => registerAutosave(autosave.flush), [registerAutosave, autosave]);
  const failure = useSyncExternalStore(autosave.subscribe, autosave.failure);
  const keep = useCallback(
    (edits: RuleEdits) => {
      setAnswer(client, queryKey, edits);
      autosave.schedule(edits);
    },
    [client, queryKey, autosave],
  );
  const error = query.error ? commandError(query.error) : failure;
  return { kept: query.data, keep, error, retry: () => void query.refetch() };
}
