/** Whether a condition has held longer than a time. It delays messages, so that short states show none. */

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
