/** Queries of the administration that several screens read. */

import { queryOptions } from "@tanstack/react-query";
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
