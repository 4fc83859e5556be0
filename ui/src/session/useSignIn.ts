/** Commands of signing in and out, with the last error. */

import { useMemo } from "react";
import type { CommandError } from "../ipc/bindings";
import { call, commands } from "../ipc/call";
import { useCommandCalls } from "../ipc/useCommandCalls";

export interface SignIn {
  /** The error of the last command. Errors of the session are in the snapshot. */
  error: CommandError | null;
  busy: boolean;
  /** Without `remember`, the session ends with the program. */
  start: (environment: string, remember?: boolean) => void;
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
  const { run, busy, error } = useCommandCalls();
  return useMemo(
    () => ({
      error,
      busy,
      start: (environment, remember = true) =>
        void run(() => call(remember ? commands.startSignIn(environment) : commands.startSignInOnce(environment))),
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
