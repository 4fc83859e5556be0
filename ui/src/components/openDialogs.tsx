/** Whether a modal dialog is open, and the end of the last one as an event. */

import { useLayoutEffect } from "react";
import { keepFocus } from "./keepFocus";
import { createValueStore, useValueStore } from "./valueStore";

/** How many are open. */
const store = createValueStore(0);

/**
 * Stands in the content of each modal dialog: the dialog is open as long as its content is there. What had the focus before can be
 * gone when it closes: `main` has it then, so that the next key is not lost, until a part of the view takes it.
 */
export function OpenDialogMark() {
  useLayoutEffect(() => {
    store.set(store.get() + 1);
    return () => {
      store.set(store.get() - 1);
      keepFocus(mainWithoutDialog, "window");
    };
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

/** What the focus of the window goes to when nothing else takes it. */
export function mainWithoutDialog(): HTMLElement | null {
  return isDialogOpen() ? null : document.querySelector<HTMLElement>("main");
}
