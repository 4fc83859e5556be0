/** Enter in the dialog of a price with tax takes the price once it is known, unless the dialog was closed or another one typed before. */

import { act, cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import type { ModalProps } from "../../components/Modal";
import { renderInWorkspace } from "../../gallery/renderInWorkspace";
import type { NetPrice } from "../../ipc/bindings";
import { withBinding } from "../../state/withBinding";
import { newLine } from "../invoiceLines";
import { PriceWithTaxDialog } from "./PriceWithTaxDialog";

vi.mock("../../state/withBinding");
vi.mock("../../components/Modal", () => ({
  Modal: ({ isOpen, children, actions }: ModalProps) =>
    isOpen && (
      <div>
        {children}
        {actions}
      </div>
    ),
}));
afterEach(cleanup);

const found: NetPrice = { kind: "found", price: "100", isExact: true, withTax: "115" };
const line = newLine(undefined, "15");
const onPrice = vi.fn();
const onClose = vi.fn();

const dialog = (isOpen: boolean) => (
  <PriceWithTaxDialog isOpen={isOpen} onClose={onClose} line={line} index={0} currency="SAR" onPrice={onPrice} />
);

/** Types a price and Enter before it is answered. */
function enter() {
  onPrice.mockClear();
  const answers: (() => void)[] = [];
  vi.mocked(withBinding).mockReturnValue(
    new Promise((resolve) => {
      answers.push(() => resolve(found));
    }),
  );
  const { rerender } = renderInWorkspace(dialog(true));
  const field = screen.getByRole<HTMLInputElement>("textbox");
  fireEvent.change(field, { target: { value: "115" } });
  fireEvent.submit(field.form ?? expect.fail("the field is in a form"));
  return {
    type: (text: string) => fireEvent.change(field, { target: { value: text } }),
    close: () => rerender(dialog(false)),
    answer: () => act(async () => answers.shift()?.()),
  };
}

test("Enter before the answer takes the price when it is there", async () => {
  const { answer } = enter();
  await answer();
  expect(onPrice).toHaveBeenCalledExactlyOnceWith("100");
});

test("a dialog that was closed before the answer sets no price", async () => {
  const { close, answer } = enter();
  close();
  await answer();
  expect(onPrice).not.toHaveBeenCalled();
});

test("a digit that follows Enter before the answer leaves the former price, and the dialog open", async () => {
  const { type, answer } = enter();
  onClose.mockClear();
  type("1150");
  await answer();
  expect(onPrice).not.toHaveBeenCalled();
  expect(onClose).not.toHaveBeenCalled();
});
