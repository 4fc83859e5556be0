/** The query cache over the core. The organization id is the first element of every query key of its data. */

import { notifyManager, QueryClient, QueryObserver } from "@tanstack/react-query";

export function createQueryClient(): QueryClient {
  // What a key has changed is rendered before the next one, which goes on from it. A timer would come after that.
  notifyManager.setScheduler(queueMicrotask);
  return new QueryClient({
    defaultOptions: {
      queries: {
        // The core knows the network state and retries by itself.
        networkMode: "always",
        retry: false,
        staleTime: Number.POSITIVE_INFINITY,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
      },
      mutations: { networkMode: "always", retry: false },
    },
  });
}

/** First elements of the query keys of what belongs to the computer, and not to an account. */
const OF_COMPUTER: ReadonlySet<unknown> = new Set(["preferences", "environments", "accounts"]);

/** Removes all that an account has read: another one may have a role in the same organization. */
export function removeAccountQueries(client: QueryClient): void {
  const filter = { predicate: ({ queryKey: [first] }: { queryKey: readonly unknown[] }) => !OF_COMPUTER.has(first) };
  void client.cancelQueries(filter);
  client.removeQueries(filter);
}

/** Keeps the answers of a window that is hidden, which reads nothing, until the function that it returns is called. */
export function keepQueries(client: QueryClient): () => void {
  const ends = client
    .getQueryCache()
    .getAll()
    .map(({ options, queryKey }) =>
      new QueryObserver(client, { ...options, queryKey, enabled: false }).subscribe(() => undefined),
    );
  return () => {
    for (const end of ends) end();
  };
}

/** Removes the cached data of an organization that the window has left. */
export function removeOrganizationQueries(client: QueryClient, organization: string): void {
  const filter = { queryKey: [organization] };
  void client.cancelQueries(filter);
  client.removeQueries(filter);
}
