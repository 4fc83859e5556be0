/** Refetches once when the connection returns, if what is shown was kept on this computer. */

import { useEffect, useRef } from "react";
import { useWorkspace } from "../state/workspace";

/** `offline`: what is shown was kept on this computer. */
export function useRefetchOnReconnect(offline: boolean, refetch: () => void): void {
  const { session } = useWorkspace();
  const online = session.connectivity.state === "online";
  const latest = useRef({ offline, refetch });
  latest.current = { offline, refetch };
  useEffect(() => {
    if (online && latest.current.offline) latest.current.refetch();
  }, [online]);
}
