/** The sections of the administration, and who finds them. */

import type { Permissions } from "../ipc/bindings";

export const administrationSections = [
  "people",
  "machines",
  "tenants",
  "plans",
  "rules",
  "plan",
  "audit",
  "ownTenant",
  "platformAudit",
] as const;

export type AdministrationSection = (typeof administrationSections)[number];

/** The sections that are offered to a person. The plan belongs to those who administer an organization, though others may read it. */
export function sectionsOf(permissions: Permissions | undefined): AdministrationSection[] {
  if (!permissions) return [];
  const { users, machineUsers, audit, ownTenant, tenants, plans, rules, platformAudit } = permissions;
  const offered: Record<AdministrationSection, boolean> = {
    people: users,
    machines: machineUsers,
    tenants,
    plans,
    rules,
    plan: users || machineUsers || audit,
    audit,
    ownTenant,
    platformAudit,
  };
  return administrationSections.filter((section) => offered[section]);
}
