/** Tests of a form in a dialog: it is sent once, what is typed or made is not lost without a question, and an error is seen. */

import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { announce } from "../components/announce";
import { errors, pendingRetry } from "../gallery/fixtures";
import { renderInWorkspace, untilAnnounced } from "../gallery/renderInWorkspace";
import type { CommandError } from "../ipc/bindings";
import { FormDialog } from "./FormDialog";

vi.mock("../components/announce");
vi.mock("../components/Modal", async () => ({
  Modal: (await import("../components/__mocks__/ModalWithEscape")).ModalWithEscape,
}));
vi.mock("./AdministrationError", () => ({
  AdministrationError: ({ error }: { error: CommandError }) => <p role="alert">{error.kind}</p>,
}));

const onSubmit = vi.fn();
const onClose = vi.fn();
// jsdom has none.
const scrollIntoView = vi.fn();
beforeEach(() => {
  for (const mock of [onSubmit, onClose, scrollIntoView]) mock.mockClear();
  Element.prototype.scrollIntoView = scrollIntoView;
});
afterEach(cleanup);

function form({
  busy = false,
  error = null,
  partly = null,
  makesSecret = false,
}: {
  busy?: boolean;
  error?: CommandError | null;
  partly?: string | null;
  makesSecret?: boolean;
}) {
  return (
    <FormDialog
      title="Invite"
      submit="Invite"
      typed
      busy={busy}
      error={error}
      partly={partly}
      makesSecret={makesSecret}
      onSubmit={onSubmit}
      onClose={onClose}
    >
      <input aria-label="Name" />
    </FormDialog>
  );
}

const enter = () => fireEvent.submit(document.querySelector("form") ?? expect.fail("there is a form"));
const button = (name: string) => screen.getByRole<HTMLButtonElement>("button", { name });

test("a form whose answer is awaited is not sent again by Enter, and its button keeps the focus", () => {
  const { rerender } = renderInWorkspace(form({}));
  enter();
  rerender(form({ busy: true }));
  enter();
  expect(onSubmit).toHaveBeenCalledTimes(1);
  // A button that is disabled loses it.
  expect([button("Invite").disabled, button("Invite").getAttribute("aria-disabled")]).toEqual([false, "true"]);
});

test("who types on after the question is asked again before it is discarded", () => {
  renderInWorkspace(form({}));
  fireEvent.click(button("Escape"));
  expect(screen.getByText("Discard what you typed?")).toBeDefined();
  fireEvent.change(screen.getByLabelText("Name"), { target: { value: "Huda" } });
  fireEvent.click(button("Escape"));
  expect(onClose).not.toHaveBeenCalled();
  fireEvent.click(button("Escape"));
  expect(onClose).toHaveBeenCalledTimes(1);
});

test("an error is scrolled to", () => {
  const [error] = errors.planLimit;
  const { rerender } = renderInWorkspace(form({}));
  expect(scrollIntoView).not.toHaveBeenCalled();
  rerender(form({ error: error ?? null }));
  expect(screen.getByRole("alert").textContent).toBe("planLimit");
  expect(scrollIntoView).toHaveBeenCalledTimes(1);
});

test("the end of the session is shown as where it can be signed in again, also after a part was saved", () => {
  const [error] = errors.sessionEnded;
  const { rerender } = renderInWorkspace(form({ error: error ?? null }));
  expect(screen.getByRole("alert").textContent).toBe("sessionEnded");
  rerender(form({ error: error ?? null, partly: "The name was saved." }));
  expect(screen.getByText("The name was saved.")).toBeDefined();
  expect(screen.getByText("sessionEnded")).toBeDefined();
});

test("the question whether to discard is announced", async () => {
  vi.mocked(announce).mockClear();
  renderInWorkspace(form({}));
  fireEvent.click(button("Escape"));
  await waitFor(() => expect(vi.mocked(announce).mock.calls).toEqual([["Discard what you typed?"]]), untilAnnounced);
});

test("a form stays while a secret is made that only its answer has", () => {
  const { rerender } = renderInWorkspace(form({ busy: true, makesSecret: true }));
  for (const name of ["Escape", "Cancel", "Escape"]) fireEvent.click(button(name));
  expect(onClose).not.toHaveBeenCalled();
  expect(screen.getByText(/shown once, so this form stays/)).toBeDefined();
  rerender(form({ makesSecret: true }));
  fireEvent.click(button("Escape"));
  expect(onClose).toHaveBeenCalledTimes(1);
});

test("a form whose answer is awaited for another reason can be closed", () => {
  renderInWorkspace(form({ busy: true }));
  fireEvent.click(button("Escape"));
  fireEvent.click(button("Escape"));
  expect(onClose).toHaveBeenCalledTimes(1);
});

test("a write that is tried again can be stopped in the form, which is in front of the status bar", () => {
  const retry = { ...pendingRetry, command: "invite_user" };
  const { rerender } = renderInWorkspace(form({ busy: true, makesSecret: true }), { workspace: { retries: [retry] } });
  expect(button("Stop")).toBeDefined();
  rerender(form({}));
  expect(screen.queryByRole("button", { name: "Stop" })).toBeNull();
});
