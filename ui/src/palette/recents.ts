/** What was chosen last in the command palette. The core keeps it for each organization, so that it outlives the window. */

import { type QueryClient, queryOptions } from "@tanstack/react-query";
import { commands } from "../ipc/call";
import { withBinding } from "../state/withBinding";

/** The ids of the entries that were chosen last, newest first. */
export function recentsQuery(organization: string) {
  return queryOptions({
    queryKey: [organization, "palette-recents"] as const,
    queryFn: () => withBinding(organization, (binding) => commands.paletteRecents(binding)),
    // Another window may have chosen another entry.
    refetchOnMount: "always",
  });
}

/** Notes that an entry was chosen. What cannot be kept is not missed. */
export function rememberEntry(client: QueryClient, organization: string, id: string): void {
  const { queryKey } = recentsQuery(organization);
  const remember = withBinding(organization, (binding) => commands.rememberPaletteEntry(binding, id));
  void remember.then(
    () => client.invalidateQueries({ queryKey }),
    () => undefined,
  );
}
