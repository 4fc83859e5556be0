/** The names of people in lists of which the service gives their ids alone: the own name, and those on the first page of the people of the organization. */

import { skipToken, useQuery } from "@tanstack/react-query";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { commands } from "../ipc/call";
import { usePermissions } from "../queries/permissionsQuery";
import { withBinding } from "../state/withBinding";
import { useWorkspace } from "../state/workspace";
import { knownPersonText } from "./auditText";

/** A function that gives the words for the id of somebody. Others are shown by their ids, and so is everybody else for who may not list the people. */
export function usePersonText(): (id: string) => string {
  const localizer = useLocalizer();
  const { organization, session } = useWorkspace();
  const mayList = usePermissions()?.users === true;
  // Not the key of their list, which is read in pages. What changes them invalidates both.
  const { data: page } = useQuery({
    queryKey: [organization.id, "people", "names"],
    queryFn: mayList ? () => withBinding(organization.id, (binding) => commands.listUsers(binding, "", "")) : skipToken,
  });
  const { subject, name } = session.account;
  const others = (page?.users ?? []).filter(({ id }) => id !== subject);
  const known = [{ id: subject, name }, ...others.map((user) => ({ id: user.id, name: user.name || user.username }))];
  return (id) => knownPersonText(id, known, localizer);
}
