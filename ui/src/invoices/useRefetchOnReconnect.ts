/** Reads again when the service answers again. */

import { useEffect } from "react";
import { useLatest } from "../components/useLatest";
import { useWorkspace } from "../state/workspace";

/** Refetches once when the connection returns, if what is shown was kept on this computer, which `offline` says. */
export function useRefetchOnReconnect(offline: boolean, refetch: () => void): void {
  const { session } = useWorkspace();
  const online = session.connectivity.state === "online";
  const latest = useLatest({ offline, refetch });
  useEffect(() => {
    if (online && latest.current.offline) latest.current.refetch();
  }, [online, latest]);
}
