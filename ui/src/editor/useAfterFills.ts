/** Waits with an action until what was chosen is in the form: a line that is being filled is not sent as it was before. */

import { useCallback, useEffect, useState } from "react";
import { useLatest } from "../components/useLatest";

/** A function that calls the newest `action` once no fill is under way; at once if there is none. */
export function useAfterFills<Argument>(filling: boolean, action: (argument: Argument) => void): (argument: Argument) => void {
  const latest = useLatest(action);
  const [awaited, setAwaited] = useState<{ argument: Argument } | null>(null);
  useEffect(() => {
    if (!awaited || filling) return;
    setAwaited(null);
    latest.current(awaited.argument);
  }, [awaited, filling, latest]);
  return useCallback((argument) => setAwaited({ argument }), []);
}
