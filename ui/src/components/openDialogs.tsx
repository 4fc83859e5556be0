/** Whether a modal dialog is open, and the end of the last one as an event. */

import { useLayoutEffect, useSyncExternalStore } from "react";

let open = 0;
const listeners = new Set<() => void>();

function count(change: number): void {
  open += change;
  for (const listener of listeners) listener();
}

/** Stands in the content of each modal dialog: the dialog is open as long as its content is there. */
export function OpenDialogMark() {
  useLayoutEffect(() => {
    count(1);
    return () => count(-1);
  }, []);
  return null;
}

/** Whether a modal dialog is open now. */
export function isDialogOpen(): boolean {
  return open > 0;
}

/** As `isDialogOpen`, rendered again when the first dialog opens and when the last one has closed. */
export function useDialogOpen(): boolean {
  return useSyncExternalStore(subscribe, isDialogOpen);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
