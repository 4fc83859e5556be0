/** What the preview of a paste says about units that it does not know. */

import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import type { ModalProps } from "../components/Modal";
import { LocalizerProvider } from "../i18n/LocalizerProvider";
import { PastePreview } from "./PastePreview";
import type { PastedTable } from "./pastedTable";

vi.mock("../components/Modal", () => ({
  Modal: ({ children, actions }: ModalProps) => (
    <div>
      {children}
      {actions}
    </div>
  ),
}));
afterEach(cleanup);

test("units that are not known are marked in their cells and listed", () => {
  const rows = [
    ["Gloves", "2", "box"],
    ["Sand", "3", "wagon"],
    ["Salt", "1", "wagon"],
  ];
  const table: PastedTable = { rows, hasHeader: false, fields: ["description", "quantity", "unit"] };
  const onInsert = vi.fn();
  render(
    <LocalizerProvider preferences={{ language: "en", theme: "light", digits: "latin" }}>
      <PastePreview table={table} onInsert={onInsert} onClose={() => undefined} />
    </LocalizerProvider>,
  );
  expect(screen.getByText(/Not known here as a unit: .*wagon/)).toBeTruthy();
  expect(screen.getAllByLabelText("Unknown unit").map((mark) => mark.closest("td")?.textContent)).toEqual(["wagon", "wagon"]);
  fireEvent.click(screen.getByRole("button", { name: /Insert/ }));
  expect(onInsert.mock.calls[0]?.[0].map(({ unit }: { unit?: string }) => unit)).toEqual(["BX", undefined, undefined]);
});
