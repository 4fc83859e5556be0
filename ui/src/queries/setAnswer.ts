/** Puts what a write has answered into the cache. */

import type { QueryClient, QueryKey } from "@tanstack/react-query";

/**
 * Shows `answer` at once. A read of the same query that began before the write was done may answer with what was before it: it is cancelled,
 * or it would put that over the answer.
 */
export function setAnswer<T>(client: QueryClient, queryKey: QueryKey, answer: T): void {
  // It stops the read before it returns; its promise waits for no more than the end of the stopped read.
  void client.cancelQueries({ queryKey, exact: true });
  client.setQueryData<T>(queryKey, answer);
}
