/** Where the person works: the bound organization, and calls that name it. */

import { createContext, use } from "react";
import type { OrganizationView, Place, SessionView, Wait } from "../ipc/bindings";

export type SignedInSession = Extract<SessionView, { state: "signedIn" }>;

export interface Workspace {
  session: SignedInSession;
  place: Place;
  organization: OrganizationView;
  waits: readonly Wait[];
}

export const WorkspaceContext = createContext<Workspace | null>(null);

export function useWorkspace(): Workspace {
  const workspace = use(WorkspaceContext);
  if (!workspace) throw new Error("useWorkspace needs a WorkspaceContext above it");
  return workspace;
}
