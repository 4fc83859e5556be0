/** The focus after the element that had it is removed: otherwise it would fall to the body, and the next key would be lost. */

import { type RefObject, useEffect } from "react";
import { useLatest } from "./useLatest";

/**
 * Moves the focus to what `find` returns when the element in `container` that had it last is removed. What was removed with that element is
 * still around it.
 */
export function useFocusAfterRemoval(
  container: RefObject<HTMLElement | null>,
  find: (removed: Element) => HTMLElement | null | undefined,
): void {
  const latest = useLatest(find);
  useEffect(() => {
    const within = container.current;
    if (!within) return;
    // An effect before this one may have given it the focus.
    let last: EventTarget | null = within.contains(document.activeElement) ? document.activeElement : null;
    const onFocusIn = ({ target }: FocusEvent) => {
      last = target;
    };
    const observer = new MutationObserver(() => {
      if (!(last instanceof Element) || last.isConnected) return;
      const removed = last;
      last = null;
      if (document.activeElement === document.body) latest.current(removed)?.focus();
    });
    within.addEventListener("focusin", onFocusIn);
    observer.observe(within, { childList: true, subtree: true });
    return () => {
      within.removeEventListener("focusin", onFocusIn);
      observer.disconnect();
    };
  }, [container, latest]);
}
