/** Opens a window for an entry or a shortcut that has no dialog: why it was not opened is shown by the window itself. */

import { useSyncExternalStore } from "react";
import type { CommandError } from "../ipc/bindings";
import { call, commandError, commands } from "../ipc/call";

let refusal: CommandError | null = null;
const listeners = new Set<() => void>();

function setRefusal(error: CommandError | null): void {
  refusal = error;
  for (const listener of listeners) listener();
}

/** Opens another window for an organization. */
export function requestWindow(organization: string): void {
  setRefusal(null);
  call(commands.newWindow(organization)).catch((thrown: unknown) => setRefusal(commandError(thrown)));
}

/** Why the window that was requested last was not opened. */
export function useRefusedWindow(): { error: CommandError | null; dismiss: () => void } {
  return { error: useSyncExternalStore(subscribe, () => refusal), dismiss: () => setRefusal(null) };
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
