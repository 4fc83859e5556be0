/** Reads the names of the user's organizations, of which the roles claim has only the domains (decision 0162). The session has them then. */

import { useQuery } from "@tanstack/react-query";
import { commands } from "../ipc/call";
import { withBinding } from "../state/withBinding";
import type { SignedInSession } from "../state/workspace";

/** Age at which they are read again when the window gets the focus: an organization is seldom renamed. */
const STALE_MS = 6 * 3_600_000;

/** `current` is the organization of the window, in which the service is asked. */
export function useOrganizationNames(
  { account, organizations, connectivity }: SignedInSession,
  current: string | undefined,
): void {
  const granted = organizations.map(({ id }) => id).toSorted();
  useQuery({
    queryKey: ["organizationNames", account.subject, ...granted],
    queryFn: () => (current === undefined ? null : withBinding(current, commands.readOrganizationNames)),
    enabled: current !== undefined && connectivity.state === "online",
    staleTime: STALE_MS,
    refetchOnWindowFocus: true,
  });
}
