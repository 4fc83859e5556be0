/** Whether something has lasted for longer than a while: what is over quickly needs no message that would only flash by. */

import { useEffect, useState } from "react";

export function useElapsed(milliseconds: number, lasts = true): boolean {
  const [longer, setLonger] = useState(false);
  useEffect(() => {
    setLonger(false);
    if (!lasts) return;
    const timer = setTimeout(() => setLonger(true), milliseconds);
    return () => clearTimeout(timer);
  }, [milliseconds, lasts]);
  return longer;
}
