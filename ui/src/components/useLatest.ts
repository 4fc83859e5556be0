/** The newest value, for callbacks that keep their identity, and for what is called at the end. */

import { type RefObject, useInsertionEffect, useRef } from "react";

/** A reference that has the value of the last render, before the layout effects of that render, and while the component is hidden too. */
export function useLatest<T>(value: T): RefObject<T> {
  const latest = useRef(value);
  useInsertionEffect(() => {
    latest.current = value;
  });
  return latest;
}

/**
 * Calls the newest `callback` when the component is removed. The cleanup of other effects also runs when it is only hidden, as while
 * somebody signs in again; `Activity` leaves insertion effects alone.
 */
export function useUnmount(callback: () => void): void {
  const latest = useLatest(callback);
  useInsertionEffect(() => () => latest.current(), [latest]);
}
