/** The error of a command that no part of the screen shows, as that of a shortcut. The window shows it above its screen. */

import { useSyncExternalStore } from "react";
import type { CommandError } from "../ipc/bindings";

let current: CommandError | null = null;
const listeners = new Set<() => void>();

/** Shows an error in place of the last one; `null` hides it. */
export function showWindowError(error: CommandError | null): void {
  current = error;
  for (const listener of listeners) listener();
}

export function useWindowError(): CommandError | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => current,
  );
}
