/** What screens of the administration read, and the names of plans. */

import { queryOptions } from "@tanstack/react-query";
import type { Localizer } from "../i18n/localizer";
import type { PlanDefinition } from "../ipc/bindings";
import { commands } from "../ipc/call";
import { withBinding } from "../state/withBinding";

export const plansQuery = (organization: string) =>
  queryOptions({
    queryKey: [organization, "plans"],
    queryFn: () => withBinding(organization, commands.listPlans),
  });

export const machineUsersQuery = (organization: string) =>
  queryOptions({
    queryKey: [organization, "machineUsers"],
    queryFn: () => withBinding(organization, commands.listMachineUsers),
  });

/** Below what writes of tenants make outdated. */
export const ownTenantQuery = (organization: string) =>
  queryOptions({
    queryKey: [organization, "tenants", "own"],
    queryFn: () => withBinding(organization, commands.getOwnTenant),
    staleTime: 0,
  });

/** The name of a plan in the language of the window. */
export const planName = ({ fields }: PlanDefinition, { language }: Pick<Localizer, "language">) =>
  (language === "ar" && fields.nameAr) || fields.name;
