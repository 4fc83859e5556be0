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

/** As `usePendingRetry`, but keeps the last retry while the call is running, so that the notice does not flicker. */
export function useStablePendingRetry(names: readonly RetryName[], pending: boolean): PendingRetry | undefined {
  const retry = usePendingRetry(names);
  const [last, setLast] = useState<PendingRetry | undefined>(undefined);
  if (retry && retry !== last) setLast(retry);
  if (!pending && last) setLast(undefined);
  return retry ?? (pending ? last : undefined);
}
