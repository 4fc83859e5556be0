/** The newest value, for callbacks that keep their identity. */

import { type RefObject, useEffect, useRef } from "react";

/** A reference that has the value of the last render. */
export function useLatest<T>(value: T): RefObject<T> {
  const latest = useRef(value);
  useEffect(() => {
    latest.current = value;
  });
  return latest;
}
