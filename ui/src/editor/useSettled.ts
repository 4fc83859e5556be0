/** A value once it has not changed for a moment. */

import { useEffect, useState } from "react";

/** Delay after the last change before something is looked up. */
const LOOKUP_MS = 400;

/** The value; after a change the former one, until it has been the same for a moment. */
export function useSettled<T>(value: T): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), LOOKUP_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
