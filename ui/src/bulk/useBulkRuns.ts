/** The bulk runs of the organization, kept current by the snapshot. */

import { queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import type { BulkRun } from "../ipc/bindings";
import { commands } from "../ipc/call";
import { invalidateDocuments } from "../queries/documentWrites";
import { withBinding } from "../state/withBinding";
import { useWorkspace } from "../state/workspace";
import { useReadOnProgress } from "./useReadOnProgress";

/** While a run is under way, the lists are refetched at most this often. */
const LIST_REFRESH_MS = 2000;

export function bulkRunsKey(organization: string) {
  return [organization, "bulk-runs"] as const;
}

function bulkRunsQuery(organization: string) {
  return queryOptions({
    queryKey: bulkRunsKey(organization),
    queryFn: () => withBinding(organization, (binding) => commands.bulkRuns(binding)),
  });
}

/** The newest first. Runs that do not show anything any more have been closed. */
export function useBulkRuns(): readonly BulkRun[] {
  const { organization } = useWorkspace();
  useReadOnProgress(bulkRunsKey(organization.id));
  return useQuery(bulkRunsQuery(organization.id)).data ?? noRuns;
}

const noRuns: readonly BulkRun[] = [];

/** Whether batches of a run are being sent or saved, or its documents collected. */
export function isUnderWay(run: BulkRun): boolean {
  return run.state === "collecting" || run.state === "running";
}

/** Refetches the lists when runs have changed documents. */
export function useListRefresh(runs: readonly BulkRun[]): void {
  const client = useQueryClient();
  const { organization } = useWorkspace();
  // To save files changes no document.
  const changing = runs.filter(({ folder }) => folder === null);
  const done = changing.reduce((sum, run) => sum + run.done, 0);
  const idle = !changing.some(isUnderWay);
  const last = useRef({ done, at: 0 });
  useEffect(() => {
    if (done === last.current.done) return;
    const wait = idle ? 0 : Math.max(0, last.current.at + LIST_REFRESH_MS - Date.now());
    const timer = setTimeout(() => {
      last.current = { done, at: Date.now() };
      invalidateDocuments(client, organization.id);
    }, wait);
    return () => clearTimeout(timer);
  }, [client, organization.id, done, idle]);
}
