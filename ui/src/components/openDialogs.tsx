/** Whether a modal dialog is open, and the end of the last one as an event. */

import { useLayoutEffect } from "react";
import { createValueStore, useValueStore } from "./valueStore";

/** How many are open. */
const store = createValueStore(0);

/** Stands in the content of each modal dialog: the dialog is open as long as its content is there. */
export function OpenDialogMark() {
  useLayoutEffect(() => {
    store.set(store.get() + 1);
    return () => store.set(store.get() - 1);
  }, []);
  return null;
}

/** Whether a modal dialog is open now. */
export function isDialogOpen(): boolean {
  return store.get() > 0;
}

/** As `isDialogOpen`, rendered again when a dialog opens or has closed. */
export function useDialogOpen(): boolean {
  return useValueStore(store) > 0;
}
