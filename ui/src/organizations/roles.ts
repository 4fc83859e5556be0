/** Display names of roles. The service authorizes; the UI only shows roles. */

import type { Localizer } from "../i18n/localizer";

const KNOWN = ["viewer", "clerk", "accountant", "administrator"] as const;

export function roleName(role: string, { t }: Localizer): string {
  const known = KNOWN.find((name) => name === role.toLowerCase());
  return known ? t(`role-${known}`) : role;
}
