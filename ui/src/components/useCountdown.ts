/** Countdown in whole seconds. */

import { useEffect, useState } from "react";

/** Seconds until `until` (RFC 3339), or 0 once it has passed. */
export function useCountdown(until: string): number {
  const [left, setLeft] = useState(() => secondsUntil(until));
  useEffect(() => {
    setLeft(secondsUntil(until));
    const timer = setInterval(() => setLeft(secondsUntil(until)), 250);
    return () => clearInterval(timer);
  }, [until]);
  return left;
}

function secondsUntil(until: string): number {
  const end = Date.parse(until);
  return Number.isNaN(end) ? 0 : Math.max(0, Math.ceil((end - Date.now()) / 1000));
}
