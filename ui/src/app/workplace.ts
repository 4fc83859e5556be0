/** Where the person works: the bound organization, and calls that name it. */

import { createContext, use } from "react";
import type { OrganizationView, Place, SessionView, Wait } from "../ipc/bindings";

export type SignedInSession = Extract<SessionView, { state: "signedIn" }>;

export interface Workplace {
  session: SignedInSession;
  place: Place;
  organization: OrganizationView;
  waits: readonly Wait[];
}

export const WorkplaceContext = createContext<Workplace | null>(null);

export function useWorkplace(): Workplace {
  const workplace = use(WorkplaceContext);
  if (!workplace) throw new Error("useWorkplace needs a WorkplaceContext above it");
  return workplace;
}
