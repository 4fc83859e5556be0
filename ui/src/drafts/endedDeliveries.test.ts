/** Tests of what is said of drafts that no longer wait. */

import { expect, test } from "vitest";
import type { DraftState } from "../ipc/bindings";
import { endedDeliveries, type WaitingDrafts } from "./endedDeliveries";

/** The outcome of drafts that waited, after the states that they went through. `null`: the draft is gone. */
function after(...lists: Record<string, DraftState>[]) {
  const total = { sent: 0, refused: 0 };
  let waiting: WaitingDrafts = new Map();
  let isQueueDone = true;
  for (const [time, list] of lists.entries()) {
    const drafts = Object.entries(list).map(([key, state]) => ({ key, state, updated: String(time) }));
    const ended = endedDeliveries(waiting, drafts);
    ({ waiting, isQueueDone } = ended);
    total.sent += ended.sent.size;
    total.refused += ended.refused.size;
  }
  return { ...total, waiting: [...waiting.keys()], isQueueDone };
}

test("a draft that waited and is gone was sent, also after a lost answer", () => {
  expect(after({ a: "waiting", b: "waiting" }, { b: "waiting" })).toEqual({
    sent: 1,
    refused: 0,
    waiting: ["b"],
    isQueueDone: false,
  });
  const sent = { sent: 1, refused: 0, waiting: [], isQueueDone: true };
  expect(after({ a: "waiting" }, { a: "sending" }, { a: "unknownOutcome" }, {})).toEqual(sent);
  expect(after({ a: "waitingInDoubt" }, {})).toEqual(sent);
  const waiting = { sent: 0, refused: 0, waiting: ["a"], isQueueDone: false };
  expect(after({ a: "waiting" }, { a: "waitingInDoubt" })).toEqual(waiting);
});

test("a draft that the service refused is counted once", () => {
  const refused = { sent: 0, refused: 1, waiting: [], isQueueDone: true };
  expect(after({ a: "waiting" }, { a: "refused" }, { a: "refused" })).toEqual(refused);
});

test("a draft that is edited again, and one that was saved by hand, are no deliveries", () => {
  const none = { sent: 0, refused: 0, waiting: [], isQueueDone: true };
  expect(after({ a: "waiting", b: "editing" }, { a: "editing", b: "sending" }, {})).toEqual(none);
});

test("a queue is done when nothing is sent or waits to be, also if the outcome of a draft is unknown", () => {
  expect(after({ a: "waiting" }, { a: "sending" }).isQueueDone).toBe(false);
  expect(after({ a: "waiting" }, { a: "sending" }, { a: "unknownOutcome" }).isQueueDone).toBe(true);
});

test("a draft waits since it was queued, also while it is sent, and since another time after it was edited again", () => {
  const since = (waiting: WaitingDrafts, state: DraftState, updated: string) =>
    endedDeliveries(waiting, [{ key: "a", state, updated }]).waiting;
  const queued = since(new Map(), "waiting", "09:00");
  const sending = since(queued, "sending", "09:05");
  expect(sending.get("a")).toBe("09:00");
  expect(since(since(sending, "editing", "09:10"), "waiting", "09:20").get("a")).toBe("09:20");
});
