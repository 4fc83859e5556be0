/** The error of a command that no part of the screen shows, as that of a shortcut. The window shows it above its screen. */

import { createValueStore, useValueStore } from "../components/valueStore";
import type { CommandError } from "../ipc/bindings";

export interface WindowError {
  error: CommandError;
  /** Whose words it has. Those of documents are wrong for what the administration does. */
  words: "documents" | "administration";
}

const store = createValueStore<WindowError | null>(null);

/** Shows an error in place of the last one; `null` hides it. */
export function showWindowError(error: CommandError | null): void {
  store.set(error && { error, words: "documents" });
}

/** As `showWindowError`, for what the administration does. */
export function showAdministrationError(error: CommandError): void {
  store.set({ error, words: "administration" });
}

export function useWindowError(): WindowError | null {
  return useValueStore(store);
}
