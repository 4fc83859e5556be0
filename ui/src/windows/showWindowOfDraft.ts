/** Brings the window to the front that edits a draft. */

import { commands } from "../ipc/call";
import { currentSnapshot } from "../state/snapshotStore";
import { withBinding } from "../state/withBinding";

/** Resolves with whether another window edits it. */
export async function showWindowOfDraft(key: string): Promise<boolean> {
  const organization = currentSnapshot()?.binding?.organization;
  if (organization === undefined) return false;
  return withBinding(organization, (binding) => commands.showWindowOfDraft(binding, key)).catch(() => false);
}
