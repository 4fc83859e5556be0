/** Focus of a view that has just appeared. */

import { useEffect } from "react";
import { isDialogOpen } from "./openDialogs";
import { useLatest } from "./useLatest";

/**
 * Moves the focus to `find()` each time the view is ready again, if the element that had the focus is gone: without it the keyboard
 * starts at the top of the window again. An element that still has the focus keeps it.
 */
export function useTakeFocus(ready: boolean, find: () => HTMLElement | null): void {
  const latest = useLatest(find);
  useEffect(() => {
    if (!ready) return;
    if (isDialogOpen() || (document.activeElement !== null && document.activeElement !== document.body)) return;
    latest.current()?.focus();
  }, [ready, latest]);
}
