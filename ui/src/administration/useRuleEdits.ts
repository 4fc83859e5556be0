/** Changes of the rules that are not published. The core keeps them: they are there again after the view, or the application, was left. */

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useSyncExternalStore } from "react";
import { createAutosave } from "../editor/autosave";
import type { CommandError, RuleEdits } from "../ipc/bindings";
import { commands } from "../ipc/call";
import { setAnswer } from "../queries/setAnswer";
import { useNavigation } from "../state/navigation";
import { withBinding } from "../state/withBinding";
import { useWorkspace } from "../state/workspace";

export interface RuleEditsState {
  /** `undefined` until they are read. */
  kept: RuleEdits | undefined;
  /** Keeps them on this computer. */
  keep: (edits: RuleEdits) => void;
  /** Why the last change is not kept on this computer. It is in this window. */
  error: CommandError | null;
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
  const error = useSyncExternalStore(autosave.subscribe, autosave.failure);
  const keep = useCallback(
    (edits: RuleEdits) => {
      setAnswer(client, queryKey, edits);
      autosave.schedule(edits);
    },
    [client, queryKey, autosave],
  );
  return { kept: query.isError ? noEdits : query.data, keep, error };
}
