/** Tests of the question before a change: the answer is given once, can be taken back while it is tried again, and ends its own question. */

import { act, cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { showAdministrationError } from "../errors/windowError";
import { errors, pendingRetry } from "../gallery/fixtures";
import { renderInWorkspace, runWithBinding } from "../gallery/renderInWorkspace";
import type { CommandError } from "../ipc/bindings";
import { commands } from "../ipc/call";
import { ConfirmChange } from "./ConfirmChange";

vi.mock("../components/Modal");
vi.mock("../errors/windowError");
vi.mock("../state/withBinding");
vi.mock("./AdministrationError", () => ({
  AdministrationError: ({ error }: { error: CommandError }) => <p role="alert">{error.kind}</p>,
}));

const error = errors.failedPrecondition[0] ?? expect.fail("there is a sample of every kind");
const onClose = vi.fn();
type Answer = Awaited<ReturnType<typeof commands.deletePlan>>;
let settle: (answer: Answer) => void;

beforeEach(() => {
  onClose.mockClear();
  vi.mocked(showAdministrationError).mockClear();
  vi.spyOn(commands, "deletePlan").mockReturnValue(
    new Promise((resolve) => {
      settle = resolve;
    }),
  );
  runWithBinding();
});
afterEach(cleanup);

/** Asks, and confirms the change. */
function confirmed(workspace = {}) {
  const shown = renderInWorkspace(
    <ConfirmChange
      title="Delete?"
      hint=""
      confirm="Delete"
      subject="plans"
      change={(run) => run((binding) => commands.deletePlan(binding, "1", "stamp"))}
      onClose={onClose}
    />,
    { workspace },
  );
  const button = screen.getByRole<HTMLButtonElement>("button", { name: "Delete" });
  fireEvent.click(button);
  return { ...shown, button };
}

test("a change that is being made is not confirmed again, and its button keeps the focus", async () => {
  const { button } = confirmed();
  fireEvent.click(button);
  expect(commands.deletePlan).toHaveBeenCalledTimes(1);
  // A button that is disabled loses it.
  expect([button.disabled, button.getAttribute("aria-disabled")]).toEqual([false, "true"]);
  await act(async () => settle({ status: "ok", data: null }));
  expect(onClose).toHaveBeenCalledTimes(1);
});

test("a change that is tried again can be stopped in the question, which is in front of the status bar", () => {
  confirmed({ retries: [{ ...pendingRetry, command: "change_user" }] });
  expect(screen.getByRole("button", { name: "Stop" })).toBeDefined();
});

test("an error of a question that is open is shown in it", async () => {
  confirmed();
  await act(async () => settle({ status: "error", error }));
  expect(screen.getByRole("alert").textContent).toBe("failedPrecondition");
  expect(onClose).not.toHaveBeenCalled();
  expect(showAdministrationError).not.toHaveBeenCalled();
});

test("an error of a question that was closed is shown above the screen, in words of the administration", async () => {
  const { unmount } = confirmed();
  unmount();
  await act(async () => settle({ status: "error", error }));
  expect(showAdministrationError).toHaveBeenCalledExactlyOnceWith(error);
});

test("a change that is made after its question was closed closes no other one", async () => {
  const { unmount } = confirmed();
  unmount();
  await act(async () => settle({ status: "ok", data: null }));
  expect(onClose).not.toHaveBeenCalled();
});
