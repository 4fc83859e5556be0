/** Tests of a form in a dialog: it is sent once, what is typed is discarded only when that is confirmed, and an error is seen. */

import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { ModalProps } from "../components/Modal";
import { errors } from "../gallery/fixtures";
import { LocalizerProvider } from "../i18n/LocalizerProvider";
import type { CommandError } from "../ipc/bindings";
import { FormDialog } from "./FormDialog";

vi.mock("../components/Modal", () => ({
  Modal: ({ children, actions, onClose }: ModalProps) => (
    <div>
      {children}
      {actions}
      <button type="button" onClick={onClose}>
        Escape
      </button>
    </div>
  ),
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

function form({ busy = false, error = null }: { busy?: boolean; error?: CommandError | null }) {
  return (
    <LocalizerProvider preferences={{ language: "en", theme: "light", digits: "latin" }}>
      <FormDialog title="Invite" submit="Invite" typed busy={busy} error={error} onSubmit={onSubmit} onClose={onClose}>
        <input aria-label="Name" />
      </FormDialog>
    </LocalizerProvider>
  );
}

const enter = () => fireEvent.submit(document.querySelector("form") ?? expect.fail("there is a form"));
const button = (name: string) => screen.getByRole<HTMLButtonElement>("button", { name });

test("a form whose answer is awaited is not sent again by Enter, and its button keeps the focus", () => {
  const { rerender } = render(form({}));
  enter();
  rerender(form({ busy: true }));
  enter();
  expect(onSubmit).toHaveBeenCalledTimes(1);
  // A button that is disabled loses it.
  expect([button("Invite").disabled, button("Invite").getAttribute("aria-disabled")]).toEqual([false, "true"]);
});

test("who types on after the question is asked again before it is discarded", () => {
  render(form({}));
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
  const { rerender } = render(form({}));
  expect(scrollIntoView).not.toHaveBeenCalled();
  rerender(form({ error: error ?? null }));
  expect(screen.getByRole("alert").textContent).toBe("planLimit");
  expect(scrollIntoView).toHaveBeenCalledTimes(1);
});

test("the end of the session does not promise that what is typed is kept", () => {
  const [error] = errors.sessionEnded;
  render(form({ error: error ?? null }));
  expect(screen.queryByRole("alert")).toBeNull();
  expect(screen.getByText(/copy what you typed first/)).toBeDefined();
});
