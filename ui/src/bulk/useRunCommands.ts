/** Commands about a bulk run: stop, continue, close; and what it waits for. */

import { useQueryClient } from "@tanstack/react-query";
import { usePendingRetry } from "../errors/usePendingRetry";
import type { BulkAction, BulkRun, CommandError, PendingRetry } from "../ipc/bindings";
import { commands } from "../ipc/call";
import type { RetryName } from "../ipc/commandNames";
import { useCommandCalls } from "../ipc/useCommandCalls";
import { withBinding } from "../state/withBinding";
import { useWorkspace } from "../state/workspace";
import { bulkRunsKey, isUnderWay } from "./useBulkRuns";

/** What the retries of a run name. */
const retryNames = {
  issue: "issue_documents",
  freeze: "freeze_documents",
  savePdf: "save_documents",
  saveUbl: "save_documents",
} as const satisfies Record<BulkAction, RetryName>;

export interface RunCommands {
  stop: () => void;
  resume: () => void;
  /** Forgets the run, then calls `closed`. */
  close: (closed?: () => void) => void;
  error: CommandError | null;
  /** What is sent or fetched again, while the run is under way. */
  retry: PendingRetry | undefined;
}

export function useRunCommands(run: BulkRun): RunCommands {
  const client = useQueryClient();
  const { organization } = useWorkspace();
  const retry = usePendingRetry([retryNames[run.action]]);
  const calls = useCommandCalls();
  const act = async (command: typeof commands.stopBulkRun, done?: () => void) => {
    await calls.run(async () => {
      await withBinding(organization.id, (binding) => command(binding, run.id));
      done?.();
    });
    void client.invalidateQueries({ queryKey: bulkRunsKey(organization.id) });
  };
  return {
    stop: () => void act(commands.stopBulkRun),
    resume: () => void act(commands.continueBulkRun),
    close: (closed) => void act(commands.closeBulkRun, closed),
    error: calls.error,
    retry: isUnderWay(run) ? retry : undefined,
  };
}
