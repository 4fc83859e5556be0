/** The focus of a window that is shown again after another sign-in. */

import { useEffect, useLayoutEffect, useRef } from "react";
import { keepFocus } from "../components/keepFocus";
import { mainWithoutDialog } from "../components/openDialogs";

/** Gives the focus back to what had it before the window was hidden. If that is gone, a view or dialog takes it as when it opens, or else `main`. */
export function useFocusOnReturn(isShown: boolean): void {
  const left = useRef<EventTarget | null>(null);
  // Heard until the screen of the sign-in takes the focus, which is before its passive effects.
  useLayoutEffect(() => {
    if (!isShown) return;
    let last: EventTarget | null = null;
    const onFocusIn = ({ target }: FocusEvent) => {
      last = target;
    };
    document.addEventListener("focusin", onFocusIn);
    return () => {
      document.removeEventListener("focusin", onFocusIn);
      left.current = last;
    };
  }, [isShown]);
  // After the effects of the views, which take the focus as if they had just opened.
  useEffect(() => {
    if (!isShown) return undefined;
    const { current } = left;
    left.current = null;
    if (!current) return undefined;
    if (current instanceof HTMLElement && current.isConnected) {
      current.focus();
      return undefined;
    }
    // As of a banner that has gone: a view that does not take the focus leaves it to `main`.
    return keepFocus(mainWithoutDialog, "window");
  }, [isShown]);
}
