/** Tests of voiding a payment: while that is under way, or its outcome is not known, closing the dialog is not said to keep the payment. */

import { act, cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { errors, payment, row } from "../gallery/fixtures";
import { renderInWorkspace, runWithBinding } from "../gallery/renderInWorkspace";
import type { CommandError } from "../ipc/bindings";
import { commands } from "../ipc/call";
import { VoidPaymentDialog } from "./VoidPaymentDialog";

vi.mock("../state/withBinding");
vi.mock("../errors/ErrorNotice");
vi.mock("../components/Modal");
afterEach(cleanup);

const [unknown = expect.fail("there is a sample of every kind")] = errors.unknownOutcome;
const [offline = expect.fail("there is a sample of every kind")] = errors.offline;

test("the button that closes does not promise to keep a payment that may be voided", async () => {
  const answers: ((error: CommandError) => void)[] = [];
  vi.spyOn(commands, "voidPayment").mockImplementation(
    () => new Promise((resolve) => answers.push((error) => resolve({ status: "error", error }))),
  );
  runWithBinding();
  renderInWorkspace(<VoidPaymentDialog row={row} payment={payment} onClose={() => undefined} />);
  const [close = expect.fail("there is a button that closes")] = screen.getAllByRole("button");
  const texts = [close.textContent];
  fireEvent.change(screen.getByRole("textbox"), { target: { value: "Paid twice" } });
  for (const error of [unknown, offline]) {
    fireEvent.click(screen.getByRole("button", { name: "Void payment" }));
    texts.push(close.textContent);
    await act(async () => answers.shift()?.(error));
    texts.push(close.textContent);
  }
  expect(texts).toEqual(["Keep it", "Close", "Close", "Close", "Close"]);
});

test("a reason that was typed is discarded only when that is confirmed", () => {
  const onClose = vi.fn();
  renderInWorkspace(<VoidPaymentDialog row={row} payment={payment} onClose={onClose} />);
  fireEvent.change(screen.getByRole("textbox"), { target: { value: "Paid twice" } });
  fireEvent.click(screen.getByRole("button", { name: "Keep it" }));
  expect(onClose).not.toHaveBeenCalled();
  expect(screen.getByRole("alert").textContent).toBe("Discard what you typed?");
  fireEvent.click(screen.getByRole("button", { name: "Keep the payment" }));
  expect(onClose).toHaveBeenCalledTimes(1);
});
