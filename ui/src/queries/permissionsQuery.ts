/** What the person may do in the organization, as the service says (decision 0161). The service decides each call. */

import { type QueryClient, useQuery } from "@tanstack/react-query";
import type { Permissions } from "../ipc/bindings";
import { commands } from "../ipc/call";
import { withBinding } from "../state/withBinding";
import { useWorkspace } from "../state/workspace";

/** Age at which they are read again when the window gets the focus or another screen asks: an operator may have changed the rules. */
const STALE_MS = 60_000;

/** What a person does with documents. */
export type DocumentPermissions = Pick<
  Permissions,
  | "createDocuments"
  | "updateDocuments"
  | "deleteDocuments"
  | "issueDocuments"
  | "freezeDocuments"
  | "recordPayments"
  | "voidPayments"
>;

const ALL: DocumentPermissions = {
  createDocuments: true,
  updateDocuments: true,
  deleteDocuments: true,
  issueDocuments: true,
  freezeDocuments: true,
  recordPayments: true,
  voidPayments: true,
};

/** What is offered with documents: everything, unless the service says that it refuses it. */
export function useDocumentPermissions(): DocumentPermissions {
  return usePermissions() ?? ALL;
}

/** Whether documents are offered: not to somebody who administers and may list none, as an operator of the platform. */
export function useReadsDocuments(): boolean {
  const permissions = usePermissions();
  return permissions?.listDocuments !== false || !permissions.administration;
}

function permissionsKey(organization: string) {
  return [organization, "permissions"] as const;
}

/** What the window has read of them, without reading: for what asks when it is used, and not with each render. */
export function knownPermissions(client: QueryClient, organization: string): Permissions | undefined {
  return client.getQueryData<Permissions>(permissionsKey(organization));
}

/** `undefined` while it is not known, as without a connection. */
export function usePermissions(): Permissions | undefined {
  const { id } = useWorkspace().organization;
  return useQuery({
    queryKey: permissionsKey(id),
    queryFn: () => withBinding(id, commands.permissions),
    staleTime: STALE_MS,
    refetchOnWindowFocus: true,
  }).data;
}
