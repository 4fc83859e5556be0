/** What the person may do in the organization, as the service says (decision 0161). The service decides each call. */

import { useQuery } from "@tanstack/react-query";
import type { Permissions } from "../ipc/bindings";
import { commands } from "../ipc/call";
import { withBinding } from "../state/withBinding";
import { useWorkspace } from "../state/workspace";

/** `undefined` while it is not known, as without a connection. */
export function usePermissions(): Permissions | undefined {
  const { id } = useWorkspace().organization;
  return useQuery({ queryKey: [id, "permissions"], queryFn: () => withBinding(id, commands.permissions) }).data;
}
