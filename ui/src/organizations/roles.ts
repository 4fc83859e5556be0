/** Display names of roles. The service authorizes; the UI only shows roles. */

import type { Localizer } from "../i18n/localizer";

const KNOWN = ["viewer", "clerk", "accountant", "administrator", "operator"] as const;

/** The built-in roles from the least to the most, then those of the operator's own. */
export function sortRoles(roles: readonly string[]): string[] {
  return roles.toSorted((a, b) => rank(a) - rank(b));
}

function rank(role: string): number {
  const at = (KNOWN as readonly string[]).indexOf(role);
  return at < 0 ? KNOWN.length : at;
}

export function roleName(role: string, { t }: Localizer): string {
  const known = KNOWN.find((name) => name === role.toLowerCase());
  return known ? t(`role-${known}`) : role;
}
