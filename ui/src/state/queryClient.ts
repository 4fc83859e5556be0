/** The query cache over the core. The organization id is the first element of every query key of its data. */

import { notifyManager, QueryClient } from "@tanstack/react-query";

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

/** Removes the cached data of an organization that the window has left. */
export function removeOrganizationQueries(client: QueryClient, organization: string): void {
  const filter = { queryKey: [organization] };
  void client.cancelQueries(filter);
  client.removeQueries(filter);
}
