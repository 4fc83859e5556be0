/** The rarely used fields of a line stay while somebody corrects a mistake in them. */

import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { LocalizerProvider } from "../../i18n/LocalizerProvider";
import { newLine } from "../invoiceLines";
import { LineMore } from "./LineMore";

vi.mock("../../components/DateField", () => ({ DateField: () => null }));
vi.mock("../../components/Select", () => ({ Select: () => null }));
afterEach(cleanup);

const onOpenChange = vi.fn();

function more(errors: number) {
  return (
    <LocalizerProvider preferences={{ language: "en", theme: "light", digits: "latin" }}>
      <LineMore
        line={newLine(undefined, "15")}
        index={0}
        errors={errors}
        isOpen={false}
        country="SA"
        isDisabled={false}
        dispatch={() => undefined}
        onOpenChange={onOpenChange}
      />
    </LocalizerProvider>
  );
}

const itemCode = () => document.querySelector<HTMLInputElement>('[data-field="lines[0].details.itemCode"] input');

test("a field with the focus stays when its mistake is corrected, until the fold is closed", () => {
  const { rerender } = render(more(0));
  expect(itemCode()).toBeNull();
  rerender(more(1));
  const field = itemCode() ?? expect.fail("the mistake has opened the fold");
  field.focus();
  rerender(more(0));
  expect(document.activeElement).toBe(field);
  fireEvent.click(screen.getByRole("button", { expanded: true }));
  expect(itemCode()).toBeNull();
  expect(onOpenChange).toHaveBeenCalledExactlyOnceWith(0, false);
});
