/** Opens another window for an organization. */

import { useCallback } from "react";
import type { CommandError } from "../ipc/bindings";
import { call, commands } from "../ipc/call";
import { useCommandCalls } from "../ipc/useCommandCalls";

export interface NewWindow {
  /** Resolves with whether a window was opened. */
  openWindow: (organization: string) => Promise<boolean>;
  error: CommandError | null;
  dismiss: () => void;
}

export function useNewWindow(): NewWindow {
  const { run, error, dismiss } = useCommandCalls();
  const openWindow = useCallback((organization: string) => run(() => call(commands.newWindow(organization))), [run]);
  return { openWindow, error, dismiss };
}
