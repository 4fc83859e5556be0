/** Follows a draft whose outcome is unknown until the core has found out what became of it. */

import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { useLatest } from "../components/useLatest";
import { draftsQuery } from "../queries/draftQueries";
import { useWorkspace } from "../state/workspace";

/** Calls `onSettled` when the draft is gone, because the service has its document, or is edited again, because it has not. */
export function useSettledOutcome(key: string, isUnknown: boolean, onSettled: () => void): void {
  const { id } = useWorkspace().organization;
  const drafts = useQuery(draftsQuery(id)).data;
  const latest = useLatest(onSettled);
  // A list that is older than the failure does not say that anything was found out.
  const wasListed = useRef(false);
  useEffect(() => {
    if (!isUnknown || !drafts) {
      wasListed.current = false;
      return;
    }
    const state = drafts.find((draft) => draft.key === key)?.state;
    if (state === "unknownOutcome") wasListed.current = true;
    else if (wasListed.current && (state === undefined || state === "editing" || state === "refused")) {
      wasListed.current = false;
      latest.current();
    }
  }, [drafts, key, isUnknown, latest]);
}
