/** Tests of how long an error says that the session has ended. */
import { renderHook } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { errors } from "../gallery/fixtures";
import type { CommandError, Snapshot } from "../ipc/bindings";
import { useIsSessionOver } from "./useIsSessionOver";

let session: object = {};
vi.mock("../state/snapshotStore", () => ({ useSnapshot: () => ({ session }) as unknown as Snapshot }));

const signedIn = (rolesAsOf: string) => ({ state: "signedIn", rolesAsOf });

test("an error of a session that has ended is over once the account has signed in again, and no other is", () => {
  const [ended = expect.fail("there is a sample of every kind")] = errors.sessionEnded;
  const [other = expect.fail("there is a sample of every kind")] = errors.planLimit;
  session = signedIn("2026-11-27T04:00:00Z");
  const { result, rerender } = renderHook((error: CommandError) => useIsSessionOver(error), {
    initialProps: ended as CommandError,
  });
  const isOver = (after: object) => {
    session = after;
    rerender(ended);
    return result.current;
  };
  expect(result.current).toBe(false);
  expect(isOver({ state: "waiting" })).toBe(false);
  expect(isOver(signedIn("2026-11-27T05:00:00Z"))).toBe(true);
  rerender(other);
  expect(result.current).toBe(false);
  // The next session has ended too.
  rerender({ ...ended });
  expect(result.current).toBe(false);
});
