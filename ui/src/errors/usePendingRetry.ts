/** The pending retry of an operation in the window's organization. */

import { useState } from "react";
import type { PendingRetry } from "../ipc/bindings";
import type { RetryName } from "../ipc/commandNames";
import { useWorkspace } from "../state/workspace";

/** The oldest pending retry of one of these operations in the window's organization. */
export function usePendingRetry(names: readonly RetryName[]): PendingRetry | undefined {
  const { retries, organization } = useWorkspace();
  return retries.find((retry) => names.some((name) => name === retry.command) && retry.organization === organization.id);
}

/** The retry, or the last one while the call is running, so that its notice does not flicker. */
export function useKeptRetry(retry: PendingRetry | undefined, pending: boolean): PendingRetry | undefined {
  const [last, setLast] = useState<PendingRetry | undefined>(undefined);
  const kept = retry ?? (pending ? last : undefined);
  if (kept !== last) setLast(kept);
  return kept;
}
