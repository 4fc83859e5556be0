/** The sections of the switcher: pinned organizations, those that were opened last, and the others. */

import type { OrganizationView } from "../ipc/bindings";

export interface ShortlistSection {
  id: "pinned" | "recent" | "others" | "found";
  organizations: readonly OrganizationView[];
}

/** How many of the last opened organizations are shown by themselves. */
const RECENT_SHOWN = 5;

/** A search is one section, so that its first hit is on top. */
export function shortlistOf(organizations: readonly OrganizationView[], whole: boolean, current: string): ShortlistSection[] {
  if (!whole) return organizations.length === 0 ? [] : [{ id: "found", organizations }];
  const pinned = organizations.filter((organization) => organization.pinned);
  const recent = organizations
    .filter((organization) => !organization.pinned && organization.recent !== null && organization.id !== current)
    .toSorted((a, b) => (a.recent ?? 0) - (b.recent ?? 0))
    .slice(0, RECENT_SHOWN);
  const others = organizations.filter((organization) => !pinned.includes(organization) && !recent.includes(organization));
  const sections: ShortlistSection[] = [
    { id: "pinned", organizations: pinned },
    { id: "recent", organizations: recent },
    { id: "others", organizations: others },
  ];
  const shown = sections.filter((section) => section.organizations.length > 0);
  // One section needs no heading.
  return shown.length === 1 ? [{ id: "found", organizations }] : shown;
}
