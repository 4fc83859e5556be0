/** Tests of the question before a change: the answer is given once, and can be taken back while it is tried again. */

import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { pendingRetry } from "../gallery/fixtures";
import { renderInWorkspace } from "../gallery/renderInWorkspace";
import { ConfirmChange } from "./ConfirmChange";

vi.mock("../components/Modal");
vi.mock("./AdministrationError", () => ({ AdministrationError: () => null }));
afterEach(cleanup);

const onConfirm = vi.fn();
const question = (busy: boolean) => (
  <ConfirmChange
    title="Disable?"
    hint=""
    confirm="Disable"
    busy={busy}
    error={null}
    onConfirm={onConfirm}
    onClose={() => undefined}
  />
);

test("a change that is being made is not confirmed again, and its button keeps the focus", () => {
  const { rerender } = renderInWorkspace(question(false));
  const button = screen.getByRole<HTMLButtonElement>("button", { name: "Disable" });
  fireEvent.click(button);
  rerender(question(true));
  fireEvent.click(button);
  expect(onConfirm).toHaveBeenCalledTimes(1);
  // A button that is disabled loses it.
  expect([button.disabled, button.getAttribute("aria-disabled")]).toEqual([false, "true"]);
});

test("a change that is tried again can be stopped in the question, which is in front of the status bar", () => {
  const retry = { ...pendingRetry, command: "change_user" };
  renderInWorkspace(question(true), { workspace: { retries: [retry] } });
  expect(screen.getByRole("button", { name: "Stop" })).toBeDefined();
});
