/** The exports of the organization, kept current by the snapshot. */

import { useQuery } from "@tanstack/react-query";
import type { Export } from "../ipc/bindings";
import { commands } from "../ipc/call";
import { withBinding } from "../state/withBinding";
import { useWorkspace } from "../state/workspace";
import { useReadOnProgress } from "./useReadOnProgress";

export function exportsKey(organization: string) {
  return [organization, "exports"] as const;
}

const noExports: readonly Export[] = [];

export function useExports(): readonly Export[] {
  const { organization } = useWorkspace();
  useReadOnProgress(exportsKey(organization.id));
  const query = useQuery({
    queryKey: exportsKey(organization.id),
    queryFn: () => withBinding(organization.id, (binding) => commands.exports(binding)),
  });
  return query.data ?? noExports;
}
