/** Tests of what has ended between two answers. */
import { expect, test } from "vitest";
import { newlyEnded } from "./newlyEnded";

test("what was under way and is not any more has ended, and what is seen for the first time has not", () => {
  const before = [
    { id: "a", underWay: true },
    { id: "b", underWay: true },
    { id: "c", underWay: false },
  ];
  const now = ["a", "c", "d"].map((id) => ({ id, underWay: false }));
  expect(newlyEnded(before, [...now, { id: "b", underWay: true }])).toEqual([{ id: "a", underWay: false }]);
  expect(newlyEnded([], now)).toEqual([]);
});
