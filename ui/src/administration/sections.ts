/** The sections of the administration, and who finds them. */

export const administrationSections = [
  "people",
  "machines",
  "tenants",
  "plans",
  "rules",
  "plan",
  "audit",
  "platformAudit",
] as const;

export type AdministrationSection = (typeof administrationSections)[number];

/** Operators administer the platform, and nothing of an organization (decision 0022). */
const SECTIONS_OF_ROLES: Readonly<Record<string, readonly AdministrationSection[]>> = {
  administrator: ["people", "machines", "plan", "audit"],
  operator: ["tenants", "plans", "rules", "platformAudit"],
};

/** The sections that roles are offered. The service decides what is done there. */
export function sectionsOf(roles: readonly string[]): AdministrationSection[] {
  return administrationSections.filter((section) =>
    roles.some((role) => SECTIONS_OF_ROLES[role.toLowerCase()]?.includes(section)),
  );
}

/** Whether the sidebar has the administration. */
export function mayAdminister(roles: readonly string[]): boolean {
  return sectionsOf(roles).length > 0;
}

/** The roles that can be offered: the built-in ones, and that of operators to operators. */
export function grantableRoles(own: readonly string[]): string[] {
  const roles = ["viewer", "clerk", "accountant", "administrator"];
  return own.includes("operator") ? [...roles, "operator"] : roles;
}
