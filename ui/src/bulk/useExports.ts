/** The exports of the organization, kept current by the snapshot. */

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import type { Export } from "../ipc/bindings";
import { commands } from "../ipc/call";
import { useSnapshot } from "../state/snapshotStore";
import { withBinding } from "../state/withBinding";
import { useWorkspace } from "../state/workspace";

export function exportsKey(organization: string) {
  return [organization, "exports"] as const;
}

const noExports: readonly Export[] = [];

export function useExports(): readonly Export[] {
  const client = useQueryClient();
  const { organization } = useWorkspace();
  const progress = useSnapshot()?.bulkProgress ?? 0;
  const query = useQuery({
    queryKey: exportsKey(organization.id),
    queryFn: () => withBinding(organization.id, (binding) => commands.exports(binding)),
  });
  const before = useRef(progress);
  useEffect(() => {
    if (before.current === progress) return;
    before.current = progress;
    void client.invalidateQueries({ queryKey: exportsKey(organization.id) });
  }, [client, organization.id, progress]);
  return query.data ?? noExports;
}
