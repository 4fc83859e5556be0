/** What becomes of what is being typed when the window signs in again. */
// @vitest-environment jsdom

import { act, cleanup, renderHook } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { commands } from "../ipc/call";
import type { Autosaving } from "../state/navigation";
import { useSignInAfterSaving } from "./windowSignIn";

beforeEach(() => {
  vi.spyOn(commands, "startSignIn").mockClear().mockResolvedValue({ status: "ok", data: null });
});
afterEach(cleanup);

/** Asks for a sign-in twice, as by a button that is pressed again. */
async function startWith(save: Autosaving) {
  const { result } = renderHook(() => useSignInAfterSaving(save));
  for (let press = 0; press < 2; press += 1) await act(async () => result.current.start("local"));
}

test("a sign-in begins once, after what is typed is saved for a view that is shown again", async () => {
  const saves: (() => void)[] = [];
  const save = vi.fn<Autosaving>(
    () =>
      new Promise((resolve) => {
        saves.push(resolve);
      }),
  );
  await startWith(save);
  expect(save).toHaveBeenCalledExactlyOnceWith(true);
  expect(commands.startSignIn).not.toHaveBeenCalled();
  await act(async () => saves.shift()?.());
  expect(commands.startSignIn).toHaveBeenCalledExactlyOnceWith("local");
});

test("a sign-in does not begin while what is typed cannot be saved", async () => {
  await startWith(() => Promise.reject(new Error("no space")));
  expect(commands.startSignIn).not.toHaveBeenCalled();
});
