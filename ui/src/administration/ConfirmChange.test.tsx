/** Tests of the question before a change: the answer is given once. */

import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import type { ModalProps } from "../components/Modal";
import { LocalizerProvider } from "../i18n/LocalizerProvider";
import { ConfirmChange } from "./ConfirmChange";

vi.mock("../components/Modal", () => ({ Modal: ({ actions }: ModalProps) => <div>{actions}</div> }));
vi.mock("./AdministrationError", () => ({ AdministrationError: () => null }));
afterEach(cleanup);

test("a change that is being made is not confirmed again, and its button keeps the focus", () => {
  const onConfirm = vi.fn();
  const question = (busy: boolean) => (
    <LocalizerProvider preferences={{ language: "en", theme: "light", digits: "latin" }}>
      <ConfirmChange
        title="Disable?"
        hint=""
        confirm="Disable"
        busy={busy}
        error={null}
        onConfirm={onConfirm}
        onClose={() => undefined}
      />
    </LocalizerProvider>
  );
  const { rerender } = render(question(false));
  const button = screen.getByRole<HTMLButtonElement>("button", { name: "Disable" });
  fireEvent.click(button);
  rerender(question(true));
  fireEvent.click(button);
  expect(onConfirm).toHaveBeenCalledTimes(1);
  // A button that is disabled loses it.
  expect([button.disabled, button.getAttribute("aria-disabled")]).toEqual([false, "true"]);
});
