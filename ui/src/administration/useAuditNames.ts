/** The names of what an event of the audit tells the id of: organizations, plans and machine users that the window knows. */

import { useQuery } from "@tanstack/react-query";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { AuditEventView } from "../ipc/bindings";
import { usePermissions } from "../queries/permissionsQuery";
import { useWorkspace } from "../state/workspace";
import { machineUsersQuery, planName, plansQuery } from "./administrationQueries";
import type { DetailNames } from "./auditDetails";
import { organizationNames } from "./auditText";

/** What cannot be listed, by this person or any more, has no name here: it is shown by its id. */
export function useAuditNames(event: AuditEventView): DetailNames {
  const localizer = useLocalizer();
  const { t } = localizer;
  const { organization, session } = useWorkspace();
  const permissions = usePermissions();
  const tells = (detail: string) => event.details.some(({ name }) => name === detail || name === `${detail}_before`);
  const plans = useQuery({
    ...plansQuery(organization.id),
    enabled: permissions?.plans === true && tells("plan"),
  }).data;
  const machineUsers = useQuery({
    ...machineUsersQuery(organization.id),
    enabled: permissions?.machineUsers === true && tells("user"),
  }).data;
  // With the id, which stays when the name is another one.
  const named = (id: string, name: string): [string, string] => [id, t("name-and-id", { name, id })];
  return {
    organization: organizationNames(event, session.organizations, localizer),
    plan: new Map(plans?.map((plan) => named(plan.id, planName(plan, localizer)))),
    user: new Map(machineUsers?.map(({ id, name }) => named(id, name))),
  };
}
