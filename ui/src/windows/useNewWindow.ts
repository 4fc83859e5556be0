/** Opens another window for an organization. */

import { useCallback, useState } from "react";
import type { CommandError } from "../ipc/bindings";
import { call, commandError, commands } from "../ipc/call";

export interface NewWindow {
  /** Resolves with whether a window was opened. */
  openWindow: (organization: string) => Promise<boolean>;
  error: CommandError | null;
  dismiss: () => void;
}

export function useNewWindow(): NewWindow {
  const [error, setError] = useState<CommandError | null>(null);
  const openWindow = useCallback(async (organization: string) => {
    setError(null);
    try {
      await call(commands.newWindow(organization));
      return true;
    } catch (thrown) {
      setError(commandError(thrown));
      return false;
    }
  }, []);
  const dismiss = useCallback(() => setError(null), []);
  return { openWindow, error, dismiss };
}
