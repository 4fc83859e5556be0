/** What has become of the drafts that waited in the outbox. */

import type { DraftSummary } from "../ipc/bindings";

export interface EndedDeliveries {
  /** How many the service has. */
  sent: number;
  /** How many it has not accepted. */
  refused: number;
  /** The keys of those that still wait. */
  waiting: ReadonlySet<string>;
}

/** Compares the keys of drafts that waited with the list as it is now. One that is edited again does not wait any more. */
export function endedDeliveries(
  before: ReadonlySet<string>,
  drafts: readonly Pick<DraftSummary, "key" | "state">[],
): EndedDeliveries {
  const states = new Map(drafts.map(({ key, state }) => [key, state]));
  const of = [...before].map((key) => states.get(key));
  const underWay = (key: string) => before.has(key) && ["sending", "unknownOutcome"].includes(states.get(key) ?? "");
  return {
    sent: of.filter((state) => state === undefined).length,
    refused: of.filter((state) => state === "refused").length,
    waiting: new Set(drafts.filter(({ key, state }) => state === "waiting" || underWay(key)).map(({ key }) => key)),
  };
}
