/** Tests of where an error is shown that comes after its part of the window may have gone. */

import { cleanup, renderHook } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { CommandError } from "../ipc/bindings";
import { useShowError } from "./useShowError";
import { showWindowError } from "./windowError";

vi.mock("./windowError");

const error: CommandError = { kind: "staleBinding" };
const show = vi.fn();

beforeEach(() => {
  show.mockClear();
  vi.mocked(showWindowError).mockClear();
});
afterEach(cleanup);

test("an error of what is still shown is shown there, also by what began before the last render", () => {
  const { result, rerender } = renderHook(() => useShowError());
  const begun = result.current;
  rerender();
  begun(error, show);
  expect(show).toHaveBeenCalledExactlyOnceWith(error);
  expect(showWindowError).not.toHaveBeenCalled();
});

test.each(["closed", "left"])("an error of what was %s meanwhile is shown above the screen", (how) => {
  const { result, rerender, unmount } = renderHook((isOpen: boolean) => useShowError(isOpen), { initialProps: true });
  const begun = result.current;
  if (how === "closed") rerender(false);
  else unmount();
  begun(error, show);
  expect(show).not.toHaveBeenCalled();
  expect(showWindowError).toHaveBeenCalledExactlyOnceWith(error);
});
