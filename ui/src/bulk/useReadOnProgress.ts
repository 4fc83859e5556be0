/** Reads what is shown of bulk runs and exports again each time that one of them has got on. */

import { type QueryKey, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { useLatest } from "../components/useLatest";
import { useSnapshot } from "../state/snapshotStore";

export function useReadOnProgress(queryKey: QueryKey): void {
  const client = useQueryClient();
  const progress = useSnapshot()?.bulkProgress ?? 0;
  const before = useRef(progress);
  const latest = useLatest(queryKey);
  useEffect(() => {
    if (before.current === progress) return;
    before.current = progress;
    void client.invalidateQueries({ queryKey: latest.current });
  }, [client, progress, latest]);
}
