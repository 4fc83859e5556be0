/** Tests of which document is open beside the list after moves in it. */

import { cleanup, renderHook } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { FOLLOW_DELAY_MS, useDetailFollowsActiveRow } from "./useDetailFollowsActiveRow";

interface Given {
  key: string | undefined;
  opened?: string | null;
  resetKey?: string;
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

function open(first: Given) {
  const onOpen = vi.fn();
  const { result, rerender } = renderHook(
    ({ key, opened = "a", resetKey = "" }: Given) =>
      useDetailFollowsActiveRow({ detailFollows: true, opened, onOpen, resetKey }, key),
    { initialProps: first },
  );
  /** Moves by keyboard to the row of this key. */
  const move = (given: Given) => {
    result.current.current = given.opened === undefined ? "a" : given.opened;
    rerender(given);
  };
  const followed = () => {
    vi.advanceTimersByTime(FOLLOW_DELAY_MS);
    return onOpen.mock.calls.map(([key]) => key);
  };
  return { move, rerender, followed };
}

test("the open document follows the row that the keyboard has moved to, once", () => {
  const { move, rerender, followed } = open({ key: "a" });
  move({ key: "b" });
  move({ key: "c" });
  expect(followed()).toEqual(["c"]);
  rerender({ key: "d", opened: "c" });
  expect(followed()).toEqual(["c"]);
});

test("a row whose page is not loaded yet is followed when it is", () => {
  const { move, rerender, followed } = open({ key: "a" });
  move({ key: undefined });
  expect(followed()).toEqual([]);
  rerender({ key: "b" });
  expect(followed()).toEqual(["b"]);
});

test("the first row of another search does not replace the open document", () => {
  const { move, rerender, followed } = open({ key: "a" });
  move({ key: undefined });
  rerender({ key: undefined, resetKey: "another search" });
  rerender({ key: "x", resetKey: "another search" });
  expect(followed()).toEqual([]);
});

test("a list without an open document opens none", () => {
  const { move, followed } = open({ key: "a", opened: null });
  move({ key: "b", opened: null });
  expect(followed()).toEqual([]);
});

test("a document that was opened after moves without one is not replaced by the row that they led to", () => {
  const { move, rerender, followed } = open({ key: "a", opened: null });
  move({ key: "b", opened: null });
  rerender({ key: "b", opened: "found" });
  expect(followed()).toEqual([]);
});

test("a document that was opened while the page of the row was read is not replaced by that row", () => {
  const { move, rerender, followed } = open({ key: "a" });
  move({ key: undefined });
  rerender({ key: undefined, opened: "found" });
  rerender({ key: "b", opened: "found" });
  expect(followed()).toEqual([]);
});
