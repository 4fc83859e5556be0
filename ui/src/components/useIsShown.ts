/** Whether a part of the window is still shown, for what ends after it may have gone. */

import { type RefObject, useEffect, useRef } from "react";
import { useUnmount } from "./useLatest";

/**
 * A reference that is `true` while the component is there, and `shown` is: that of a dialog that stays when it is closed is its `isOpen`.
 * It stays `true` while somebody signs in again, after which the component is shown as it was.
 */
export function useIsShown(shown = true): RefObject<boolean> {
  const isShown = useRef(false);
  useEffect(() => {
    isShown.current = shown;
  }, [shown]);
  useUnmount(() => {
    isShown.current = false;
  });
  return isShown;
}
