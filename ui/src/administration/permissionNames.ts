/** What permissions are called, and the subjects that a list of them is grouped by. */

import type { Localizer } from "../i18n/localizer";
import { normalizeForSearch } from "../organizations/search";

/** The subjects in their order. A permission belongs to the first that its scope matches. */
const SUBJECTS = [
  ["documents", /^Service\.Documents\./],
  ["records", /^Service\.(Parties|Items)\./],
  ["payments", /^Service\.(Payments|Reports)\./],
  ["own", /^Service\.(Identity|Plans|Permissions)\./],
  ["simple", /^Service\.Simple\./],
  ["programs", /^Service\.Admin\.Identity\.v\d+\.\w*(Application|MachineUser|Pat)/],
  ["people", /^Service\.Admin\.(Impersonate$|Audit\.|Identity\.v\d+\.\w*(User|Administrator|Role|Password|Session))/],
  ["domains", /^Service\.Admin\.Identity\.v\d+\.\w*Domain/],
  ["tenants", /^Service\.Admin\.Identity\./],
  ["plans", /^Service\.Admin\.Plans\./],
  ["authorities", /^Service\.Admin\.Authorities\./],
  ["rules", /^Service\.Admin\.Rules\./],
  ["platform", /^Service\.Admin\.Platform\./],
  ["other", /^/],
] as const;

type PermissionSubject = (typeof SUBJECTS)[number][0];

/** What a scope allows, in words; the scope itself where a later version of the service has added it. */
export function permissionName(scope: string, { t, has }: Localizer): string {
  const id = `permission-${scope.replace(/^Service\./, "").replaceAll(".", "-")}`;
  return has(id) ? t(id) : scope;
}

/** The scopes of each subject that has some. */
export function permissionsBySubject(scopes: readonly string[]): { subject: PermissionSubject; scopes: string[] }[] {
  const subjectOf = (scope: string) => SUBJECTS.find(([, pattern]) => pattern.test(scope))?.[0];
  return SUBJECTS.map(([subject]) => ({ subject, scopes: scopes.filter((scope) => subjectOf(scope) === subject) })).filter(
    (group) => group.scopes.length > 0,
  );
}

/** Whether each word that is searched for is in the words of a permission or in its scope. */
export function matchesPermission(scope: string, search: string, localizer: Localizer): boolean {
  const searchable = normalizeForSearch(`${permissionName(scope, localizer)} ${scope}`);
  return normalizeForSearch(search)
    .split(/\s+/)
    .every((word) => searchable.includes(word));
}
