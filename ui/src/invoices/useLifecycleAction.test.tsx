/** Tests of a step of a document's life that fails: where it is said. */

import { act, cleanup, renderHook } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { showWindowError } from "../errors/windowError";
import { errors, view } from "../gallery/fixtures";
import { workspaceWrapper } from "../gallery/renderInWorkspace";
import { CommandFailure } from "../ipc/call";
import { withBinding } from "../state/withBinding";
import { useLifecycleAction } from "./useLifecycleAction";

vi.mock("../errors/windowError");
vi.mock("../state/withBinding");

const [offline = expect.fail("there is a sample of every kind")] = errors.offline;
/** Lets the request that is under way fail. */
let fail: () => void;

beforeEach(() => {
  vi.mocked(showWindowError).mockClear();
  vi.mocked(withBinding).mockImplementation(
    () =>
      new Promise((_, reject) => {
        fail = () => reject(new CommandFailure(offline));
      }),
  );
});
afterEach(cleanup);

function issue() {
  const { result, unmount } = renderHook(() => useLifecycleAction(view, () => undefined), { wrapper: workspaceWrapper() });
  act(() => result.current.run(["issue"]));
  return { result, unmount };
}

test("the failure of a step is said at the document that is shown", async () => {
  const { result } = issue();
  await act(async () => fail());
  expect(result.current.error).toEqual(offline);
  expect(showWindowError).not.toHaveBeenCalled();
});

test("the failure of a step of a document that was left meanwhile is said above the screen", async () => {
  const { unmount } = issue();
  unmount();
  await act(async () => fail());
  expect(showWindowError).toHaveBeenCalledExactlyOnceWith(offline);
});
