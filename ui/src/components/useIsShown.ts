/** Whether a part of the window is still shown, for what ends after it may have gone. */

import { type RefObject, useEffect, useRef } from "react";

/** A reference that is `true` while the component is there, and `shown` is: that of a dialog that stays when it is closed is its `isOpen`. */
export function useIsShown(shown = true): RefObject<boolean> {
  const isShown = useRef(false);
  useEffect(() => {
    isShown.current = shown;
    return () => {
      isShown.current = false;
    };
  }, [shown]);
  return isShown;
}
