/** Commands of signing in and out, with the last error. */

import { useCallback, useMemo, useState } from "react";
import type { CommandError } from "../ipc/bindings";
import { call, commandError, commands } from "../ipc/call";

export interface SignIn {
  /** The error of the last command. Errors of the session are in the snapshot. */
  error: CommandError | null;
  busy: boolean;
  start: (environment: string) => void;
  openAgain: () => void;
  loopback: () => void;
  paste: (address: string) => void;
  cancel: () => void;
  signOut: () => void;
  /** Asks at once whether there is a connection. */
  reconnect: () => void;
  unlock: () => void;
  refreshOrganizations: () => void;
}

export function useSignIn(): SignIn {
  const [error, setError] = useState<CommandError | null>(null);
  const [busy, setBusy] = useState(false);
  const run = useCallback(async (command: () => Promise<unknown>) => {
    setBusy(true);
    setError(null);
    try {
      await command();
    } catch (thrown) {
      setError(commandError(thrown));
    } finally {
      setBusy(false);
    }
  }, []);
  return useMemo(
    () => ({
      error,
      busy,
      start: (environment) => void run(() => call(commands.startSignIn(environment))),
      openAgain: () => void run(() => call(commands.openBrowserAgain())),
      // A command, not a hook.
      // oxlint-disable-next-line react/hooks
      loopback: () => void run(() => call(commands.useLoopback())),
      paste: (address) => void run(() => call(commands.pasteCallback(address))),
      cancel: () => void run(() => call(commands.cancelSignIn())),
      reconnect: () => void run(() => call(commands.reconnect())),
      signOut: () => void run(() => call(commands.signOut())),
      unlock: () => void run(() => call(commands.unlockVault())),
      refreshOrganizations: () => void run(() => call(commands.refreshOrganizations())),
    }),
    [error, busy, run],
  );
}
