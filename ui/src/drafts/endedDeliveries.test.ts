/** Tests of what is said of drafts that no longer wait. */

import { expect, test } from "vitest";
import type { DraftState } from "../ipc/bindings";
import { endedDeliveries } from "./endedDeliveries";

/** The outcome of drafts that waited, after the states that they went through. `null`: the draft is gone. */
function after(...lists: Record<string, DraftState>[]) {
  const total = { sent: 0, refused: 0 };
  let waiting: ReadonlySet<string> = new Set();
  for (const list of lists) {
    const ended = endedDeliveries(
      waiting,
      Object.entries(list).map(([key, state]) => ({ key, state })),
    );
    waiting = ended.waiting;
    total.sent += ended.sent;
    total.refused += ended.refused;
  }
  return { ...total, waiting: [...waiting] };
}

test("a draft that waited and is gone was sent, also after a lost answer", () => {
  expect(after({ a: "waiting", b: "waiting" }, { b: "waiting" })).toEqual({ sent: 1, refused: 0, waiting: ["b"] });
  expect(after({ a: "waiting" }, { a: "sending" }, { a: "unknownOutcome" }, {})).toEqual({ sent: 1, refused: 0, waiting: [] });
});

test("a draft that the service refused is counted once", () => {
  expect(after({ a: "waiting" }, { a: "refused" }, { a: "refused" })).toEqual({ sent: 0, refused: 1, waiting: [] });
});

test("a draft that is edited again, and one that was saved by hand, are no deliveries", () => {
  expect(after({ a: "waiting", b: "editing" }, { a: "editing", b: "sending" }, {})).toEqual({ sent: 0, refused: 0, waiting: [] });
});
