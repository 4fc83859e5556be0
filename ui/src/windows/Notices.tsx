/** Tells a person who works elsewhere what they wait for: the end of a bulk run or an export, and recurring drafts that are due. */

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { runText } from "../bulk/runText";
import { isUnderWay, useBulkRuns, useListRefresh } from "../bulk/useBulkRuns";
import { useExports } from "../bulk/useExports";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { useWorkspace } from "../state/workspace";
import { recurringDraftsQuery } from "../templates/templateQueries";
import { exportNotice } from "./exportNotice";
import { newlyEnded, type Watched } from "./newlyEnded";
import { tell } from "./notices";

export function Notices() {
  const localizer = useLocalizer();
  const { organization } = useWorkspace();
  const runs = useBulkRuns();
  const exports = useExports();
  const ready = useQuery(recurringDraftsQuery(useQueryClient(), organization.id)).data?.ready;
  useListRefresh(runs);
  const { t } = localizer;
  useEnded(
    runs.map((run) => ({ id: `bulk:${run.id}`, underWay: isUnderWay(run), text: () => runText(run, localizer) })),
    organization,
  );
  useEnded(
    exports.map((each) => ({
      id: `export:${each.id}`,
      underWay: each.state === "running",
      text: () => exportNotice(each, localizer),
    })),
    organization,
  );
  const known = useRef<ReadonlySet<string> | null>(null);
  useEffect(() => {
    if (!ready) return;
    const keys = ready.map(({ key }) => key);
    const added = keys.filter((key) => known.current?.has(key) === false);
    known.current = new Set(keys);
    if (added.length > 0) tell(organization, `recurring:${added.join()}`, t("recurring-ready", { count: added.length }));
  }, [ready, organization, t]);
  return null;
}

interface Described extends Watched {
  /** What is told of its end; `null` tells nothing. */
  text: () => string | null;
}

/** Tells what was under way when it was seen last and is not any more. */
function useEnded(items: readonly Described[], organization: { id: string; name: string }): void {
  const before = useRef<readonly Watched[]>([]);
  useEffect(() => {
    for (const { id, text } of newlyEnded(before.current, items)) {
      const told = text();
      if (told !== null) tell(organization, id, told);
    }
    before.current = items.map(({ id, underWay }) => ({ id, underWay }));
  });
}
