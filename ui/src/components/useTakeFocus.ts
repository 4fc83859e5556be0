/** Focus of a view that has just appeared, or from which a dialog has gone. */

import { useEffect } from "react";
import { keepFocus } from "./keepFocus";
import { isDialogOpen, useDialogOpen } from "./openDialogs";
import { useLatest } from "./useLatest";

/**
 * Moves the focus to `find()` each time the view is ready again, and after each dialog, if the element that had the focus is gone:
 * without it the keyboard starts at the top of the window again. An element that still has the focus keeps it. The view can have
 * become ready behind a dialog, which then has no element to hand the focus back to.
 */
export function useTakeFocus(ready: boolean, find: () => HTMLElement | null): void {
  const latest = useLatest(find);
  const behindDialog = useDialogOpen();
  useEffect(() => {
    if (ready && !behindDialog) return keepFocus(() => (isDialogOpen() ? null : latest.current()), "view");
    return undefined;
  }, [ready, behindDialog, latest]);
}
