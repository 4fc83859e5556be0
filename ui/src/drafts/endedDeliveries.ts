/** What has become of the drafts that waited in the outbox. */

import type { DraftSummary } from "../ipc/bindings";

/** By key, since when a draft waits: another attempt of the same draft is another delivery. */
export type WaitingDrafts = ReadonlyMap<string, string>;

export interface EndedDeliveries {
  /** Those that the service has, by key. */
  sent: WaitingDrafts;
  /** Those that it has not accepted. */
  refused: WaitingDrafts;
  /** Those that still wait. */
  waiting: WaitingDrafts;
  /** Whether nothing is sent now or waits to be: what waits is only in doubt. */
  isQueueDone: boolean;
}

/** Compares drafts that waited with the list as it is now. One that is edited again does not wait any more. */
export function endedDeliveries(
  before: WaitingDrafts,
  drafts: readonly Pick<DraftSummary, "key" | "state" | "updated">[],
): EndedDeliveries {
  const states = new Map(drafts.map(({ key, state }) => [key, state]));
  const endedIn = (end: DraftSummary["state"] | undefined) => new Map([...before].filter(([key]) => states.get(key) === end));
  const underWay = (key: string) => before.has(key) && ["sending", "unknownOutcome"].includes(states.get(key) ?? "");
  const waiting = drafts.filter(({ key, state }) => isQueued(state) || underWay(key));
  return {
    sent: endedIn(undefined),
    refused: endedIn("refused"),
    waiting: new Map(waiting.map(({ key, updated }) => [key, before.get(key) ?? updated])),
    isQueueDone: waiting.every(({ state }) => state === "unknownOutcome"),
  };
}

function isQueued(state: DraftSummary["state"]): boolean {
  return state === "waiting" || state === "waitingInDoubt";
}
