/** Queries of the templates of this computer, and of the drafts that their schedules make. */

import { type QueryClient, queryOptions } from "@tanstack/react-query";
import { commands } from "../ipc/call";
import { invalidateDrafts } from "../queries/draftQueries";
import { withBinding } from "../state/withBinding";

/** How often it is looked whether a schedule is due while the window is open. */
const INTERVAL_MS = 10 * 60_000;

export function templatesQuery(organization: string) {
  return queryOptions({
    queryKey: [organization, "templates"] as const,
    queryFn: () => withBinding(organization, (binding) => commands.templates(binding)),
  });
}

/** Asking makes the drafts that are due, each once. */
export function recurringDraftsQuery(client: QueryClient, organization: string) {
  return queryOptions({
    queryKey: [organization, "recurring"] as const,
    queryFn: async () => {
      const found = await withBinding(organization, (binding) => commands.recurringDrafts(binding));
      if (found.ready.length > 0) invalidateDrafts(client, organization);
      return found;
    },
    refetchInterval: INTERVAL_MS,
    refetchOnMount: "always",
  });
}
