/** A short message about something that has happened, which nothing else on the screen shows (WCAG 2.2, 4.1.3). */

import { useSyncExternalStore } from "react";
import { announce } from "./announce";

export interface StatusText {
  text: string;
}

let current: StatusText | null = null;
const listeners = new Set<() => void>();

function set(message: StatusText | null): void {
  current = message;
  for (const listener of listeners) listener();
}

/** Shows a message in place of the last one, and has it read out. */
export function showStatus(text: string): void {
  announce(text);
  set({ text });
}

export function hideStatus(): void {
  set(null);
}

/** The last message, until it is hidden. Each has an identity of its own. */
export function useStatusText(): StatusText | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => current,
  );
}
