/** Query of how many drafts each organization has on this computer. */

import { queryOptions } from "@tanstack/react-query";
import { call, commands } from "../ipc/call";

/**
 * How many drafts of an account are on this computer, by organization. Asking makes the drafts that are due by schedules.
 * It belongs to no organization of a window (decision 0135).
 */
export function draftCountsQuery(account: string) {
  return queryOptions({
    queryKey: ["clients", account, "drafts"] as const,
    queryFn: async () => new Map((await call(commands.draftCounts())).map((counted) => [counted.organization, counted] as const)),
    staleTime: 0,
    gcTime: 0,
    // They may have been typed in another window.
    refetchOnWindowFocus: true,
  });
}
