/** Context of the signed-in window: session, binding, organization and pending retries. */

import { createContext, use } from "react";
import type { OrganizationView, PendingRetry, SessionView, WindowBinding } from "../ipc/bindings";

export type SignedInSession = Extract<SessionView, { state: "signedIn" }>;

export interface Workspace {
  session: SignedInSession;
  binding: WindowBinding;
  organization: OrganizationView;
  retries: readonly PendingRetry[];
}

export const WorkspaceContext = createContext<Workspace | null>(null);

export function useWorkspace(): Workspace {
  const workspace = use(WorkspaceContext);
  if (!workspace) throw new Error("useWorkspace needs a WorkspaceContext above it");
  return workspace;
}
