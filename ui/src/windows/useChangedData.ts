/** Reads again what another window of the organization, or the outbox, has changed. */

import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import type { ChangeCounts } from "../ipc/bindings";
import { invalidateDocuments } from "../queries/documentWrites";
import { invalidateDrafts } from "../queries/draftQueries";
import { useSnapshot } from "../state/snapshotStore";
import { useWorkspace } from "../state/workspace";

/** The queries of an organization that a change makes outdated. Rules and authorities are not among them: they are edited in place. */
const SUBJECTS: Record<keyof ChangeCounts, readonly string[]> = {
  documents: ["invoice", "attachments", "submission"],
  drafts: [],
  masterData: ["parties", "items"],
  templates: ["templates", "recurring"],
  listSettings: ["list-settings"],
  administration: ["people", "machineUsers", "personalTokens", "tenants", "plans"],
};

const kinds = Object.keys(SUBJECTS) as (keyof ChangeCounts)[];

export function useChangedData(): void {
  const client = useQueryClient();
  const { organization } = useWorkspace();
  const counts = useSnapshot()?.changedData;
  const before = useRef(counts);
  useEffect(() => {
    const last = before.current;
    before.current = counts;
    if (!last || !counts) return;
    for (const kind of kinds) if (counts[kind] !== last[kind]) invalidateChanged(client, organization.id, kind);
  }, [client, counts, organization.id]);
}

/** Reads all of that again, because the user asks for it. */
export function reloadOrganization(client: QueryClient, organization: string): void {
  for (const kind of kinds) invalidateChanged(client, organization, kind);
}

/** Only what the window shows is read at once, and stays on the screen meanwhile. */
export function invalidateChanged(client: QueryClient, organization: string, changed: keyof ChangeCounts): void {
  if (changed === "documents") invalidateDocuments(client, organization);
  if (changed === "drafts") invalidateDrafts(client, organization);
  for (const subject of SUBJECTS[changed]) void client.invalidateQueries({ queryKey: [organization, subject] });
}
