/**
 * Tells a person who works elsewhere what they wait for: the end of a bulk run or an export of any organization of the account, and recurring
 * drafts of this one that are due.
 */

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { runText } from "../bulk/runText";
import { useAccountWork } from "../bulk/useAccountWork";
import { isUnderWay, useBulkRuns, useListRefresh } from "../bulk/useBulkRuns";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { useWorkspace } from "../state/workspace";
import { recurringDraftsQuery } from "../templates/templateQueries";
import { exportNotice } from "./exportNotice";
import { newlyEnded, type Watched } from "./newlyEnded";
import { type Told, tell } from "./notices";

export function Notices() {
  const localizer = useLocalizer();
  const { organization, session } = useWorkspace();
  const work = useAccountWork();
  const ready = useQuery(recurringDraftsQuery(useQueryClient(), organization.id)).data?.ready;
  useListRefresh(useBulkRuns());
  const { t } = localizer;
  const watched = work.flatMap(({ organization: of, runs, exports }) => {
    const ofRuns: Described[] = runs.map((run) => ({
      id: `bulk:${run.id}`,
      organization: of,
      underWay: isUnderWay(run),
      text: () => runText(run, localizer),
    }));
    return ofRuns.concat(
      exports.map((each) => ({
        id: `export:${each.id}`,
        organization: of,
        underWay: each.state === "running",
        text: () => exportNotice(each, localizer),
      })),
    );
  });
  useEnded(watched, session.organizations);
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
  organization: string;
  /** What is told of its end; `null` tells nothing. */
  text: () => string | null;
}

/** Tells what was under way when it was seen last and is not any more. */
function useEnded(items: readonly Described[], organizations: readonly Told[]): void {
  const before = useRef<readonly Watched[]>([]);
  useEffect(() => {
    for (const { id, organization, text } of newlyEnded(before.current, items)) {
      const about = organizations.find((each) => each.id === organization);
      const told = text();
      if (about && told !== null) tell(about, id, told);
    }
    before.current = items.map(({ id, underWay }) => ({ id, underWay }));
  });
}
