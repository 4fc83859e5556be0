/** What was chosen last in the command palette, newest first, for as long as the window is open. Documents belong to their organization. */

const KEPT = 6;
const recents = new Map<string, readonly string[]>();

/** The ids of the organization's recents. */
export function recentEntries(organization: string): readonly string[] {
  return recents.get(organization) ?? [];
}

export function rememberEntry(organization: string, id: string): void {
  recents.set(organization, [id, ...recentEntries(organization).filter((other) => other !== id)].slice(0, KEPT));
}
