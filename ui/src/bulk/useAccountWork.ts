/** The bulk runs and exports of all organizations of the account: whoever has started one may work in another organization at its end. */

import { useQuery } from "@tanstack/react-query";
import type { OrganizationWork } from "../ipc/bindings";
import { call, commands } from "../ipc/call";
import { useWorkspace } from "../state/workspace";
import { useReadOnProgress } from "./useReadOnProgress";

const none: readonly OrganizationWork[] = [];

export function useAccountWork(): readonly OrganizationWork[] {
  const { session } = useWorkspace();
  const queryKey = ["account-work", session.environment.name, session.account.subject] as const;
  useReadOnProgress(queryKey);
  // While it is read again, the last answer is there: what has ended while the window changed its organization is seen to end.
  const query = useQuery({ queryKey, queryFn: () => call(commands.accountWork()), refetchOnMount: "always" });
  return query.data ?? none;
}
