/** Focus of a view that has just appeared. */

import { useEffect, useRef } from "react";
import { isDialogOpen } from "./openDialogs";

/**
 * Moves the focus to `find()` once the view is ready, if the element that had the focus is gone: without it the keyboard starts
 * at the top of the window again. An element that still has the focus keeps it.
 */
export function useTakeFocus(ready: boolean, find: () => HTMLElement | null): void {
  const done = useRef(false);
  useEffect(() => {
    if (!ready || done.current) return;
    done.current = true;
    if (isDialogOpen() || (document.activeElement !== null && document.activeElement !== document.body)) return;
    find()?.focus();
  });
}
