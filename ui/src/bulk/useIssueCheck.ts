/** Checks a selection part by part for what the service would refuse to issue, before a bulk run over it. Nothing is written. */

import { useCallback, useEffect, useRef, useState } from "react";
import { useLatest } from "../components/useLatest";
import type { BulkResult, CommandError, DocumentSelection } from "../ipc/bindings";
import { commandError, commands } from "../ipc/call";
import { withBinding } from "../state/withBinding";
import { useWorkspace } from "../state/workspace";

export interface IssueCheck {
  /** How many documents were checked. */
  checked: number;
  /** Those of them that would be refused. */
  refused: readonly BulkResult[];
  isRunning: boolean;
  /** Why it does not go on. */
  error: CommandError | null;
  /** Ends it after the part that is under way. */
  stop: () => void;
}

const begun: Omit<IssueCheck, "stop"> = { checked: 0, refused: [], isRunning: true, error: null };

/** Begins with the selection of the first rendering, and ends with the component. */
export function useIssueCheck(selection: DocumentSelection): IssueCheck {
  const { organization } = useWorkspace();
  const { id } = organization;
  const latest = useLatest(selection);
  const [check, setCheck] = useState(begun);
  const isStopped = useRef(false);
  useEffect(() => {
    let isGone = false;
    const run = async () => {
      let next: number | null = 0;
      while (next !== null && !isStopped.current) {
        const skip: number = next;
        const part = await withBinding(id, (binding) => commands.checkBulkIssue(binding, latest.current, skip));
        if (isGone) return;
        setCheck(({ checked, refused, ...rest }) => ({
          ...rest,
          checked: checked + part.checked,
          refused: [...refused, ...part.refused],
        }));
        next = part.next;
      }
    };
    // It begins anew when a hidden window is shown again, also if it was stopped before.
    isStopped.current = false;
    setCheck(begun);
    void run()
      .catch((thrown: unknown) => {
        if (!isGone) setCheck((found) => ({ ...found, error: commandError(thrown) }));
      })
      .finally(() => {
        if (!isGone) setCheck((found) => ({ ...found, isRunning: false }));
      });
    return () => {
      isGone = true;
    };
  }, [id, latest]);
  const stop = useCallback(() => {
    isStopped.current = true;
    setCheck((found) => ({ ...found, isRunning: false }));
  }, []);
  return { ...check, stop };
}
