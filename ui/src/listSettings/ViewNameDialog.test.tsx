/** Tests of closing the dialog for the name of a view. */

import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { renderInWorkspace } from "../gallery/renderInWorkspace";
import { ViewNameDialog } from "./ViewNameDialog";

vi.mock("../components/Modal", async () => ({
  Modal: (await import("../components/__mocks__/ModalWithEscape")).ModalWithEscape,
}));
afterEach(cleanup);

function open() {
  const onClose = vi.fn();
  renderInWorkspace(<ViewNameDialog name="Noor" periods={[]} onSave={() => undefined} onClose={onClose} />);
  return onClose;
}

const type = (text: string) => fireEvent.change(screen.getByRole("textbox"), { target: { value: text } });
const escape = () => fireEvent.click(screen.getByRole("button", { name: "Escape" }));

test("Escape discards a name that was typed only when it is pressed once more", () => {
  const onClose = open();
  type("Noor, unpaid");
  escape();
  expect(onClose).not.toHaveBeenCalled();
  expect(screen.getByRole("alert").textContent).toBe("Discard what you typed?");
  type("Noor, overdue");
  expect(screen.queryByRole("alert"), "who types on keeps it").toBeNull();
  escape();
  expect(onClose).not.toHaveBeenCalled();
  escape();
  expect(onClose).toHaveBeenCalledOnce();
});

test("a dialog whose name is as it was is closed at once", () => {
  const onClose = open();
  type("Noor, unpaid");
  type("Noor");
  escape();
  expect(onClose).toHaveBeenCalledOnce();
});
