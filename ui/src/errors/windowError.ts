/** The error of a command that no part of the screen shows, as that of a shortcut. The window shows it above its screen. */

import { createValueStore, useValueStore } from "../components/valueStore";
import type { CommandError } from "../ipc/bindings";

const store = createValueStore<CommandError | null>(null);

/** Shows an error in place of the last one; `null` hides it. */
export function showWindowError(error: CommandError | null): void {
  store.set(error);
}

export function useWindowError(): CommandError | null {
  return useValueStore(store);
}
