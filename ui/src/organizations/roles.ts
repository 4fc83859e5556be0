/** Display names of roles. The service authorizes; the UI only shows roles. */

import type { Localizer } from "../i18n/localizer";

const KNOWN = ["viewer", "clerk", "accountant", "administrator", "operator"] as const;

/** The roles whose operations do not include freezing (decision 0023). Others may have been given any. */
const WITHOUT_FREEZE: ReadonlySet<string> = new Set(["viewer", "clerk"]);

/** Whether freezing is offered beside issuing. The service decides whether it happens. */
export function mayFreeze(roles: readonly string[]): boolean {
  return roles.some((role) => !WITHOUT_FREEZE.has(role.toLowerCase()));
}

export function roleName(role: string, { t }: Localizer): string {
  const known = KNOWN.find((name) => name === role.toLowerCase());
  return known ? t(`role-${known}`) : role;
}
