/** Calls of commands by a part of the window: whether one is under way, and the error of the last one. */

import { useCallback, useState } from "react";
import type { CommandError } from "./bindings";
import { commandError } from "./call";

export interface CommandCalls {
  /** Forgets the last error, and resolves with whether `work` has succeeded. If not, `error` says why. */
  run: (work: () => Promise<unknown>) => Promise<boolean>;
  busy: boolean;
  error: CommandError | null;
  /** Forgets the error. */
  dismiss: () => void;
}

/** `onError` is for a place that does not show `error`. */
export function useCommandCalls(onError?: (error: CommandError) => void): CommandCalls {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<CommandError | null>(null);
  const run = useCallback(
    async (work: () => Promise<unknown>) => {
      setBusy(true);
      setError(null);
      try {
        await work();
        return true;
      } catch (thrown) {
        const failed = commandError(thrown);
        setError(failed);
        onError?.(failed);
        return false;
      } finally {
        setBusy(false);
      }
    },
    [onError],
  );
  const dismiss = useCallback(() => setError(null), []);
  return { run, busy, error, dismiss };
}
