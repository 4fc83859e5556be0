/** The thin cache over the core, which owns the truth. The organization's id comes first in every key of its data. */

import { QueryClient } from "@tanstack/react-query";

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        // Whether there is a network is the core's to know, and it does its own retries.
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

/** Forgets everything of an organization that the window has left. */
export function removeOrganizationQueries(client: QueryClient, organization: string): void {
  const filter = { queryKey: [organization] };
  void client.cancelQueries(filter);
  client.removeQueries(filter);
}
