/** Tests of closing the choice of lines to credit. */

import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { content, view } from "../gallery/fixtures";
import { renderInWorkspace } from "../gallery/renderInWorkspace";
import { CreditNoteForm } from "./CreditNoteForm";

vi.mock("../components/Modal", async () => ({
  Modal: (await import("../components/__mocks__/ModalWithEscape")).ModalWithEscape,
}));
vi.mock("../editor/useDraftEditor", () => ({ useCalculation: () => [null] }));
afterEach(cleanup);

const onClose = vi.fn();
const press = (name: string) => fireEvent.click(screen.getByRole("button", { name }));

test("lines that were chosen are discarded only when that is confirmed, and not by who goes on", () => {
  const relations = { originals: [], notes: [], debitNotes: [], remaining: "1.00", currency: "SAR", lines: content.lines };
  renderInWorkspace(
    <CreditNoteForm view={view} relations={relations} busy={false} notice={null} onStart={vi.fn()} onClose={onClose} />,
  );
  const [, line = expect.fail("there is a line")] = screen.getAllByRole("checkbox");
  fireEvent.click(line);
  press("Escape");
  expect(screen.getByRole("alert").textContent).toBe("Discard what you typed?");
  fireEvent.click(line);
  expect(screen.queryByRole("alert")).toBeNull();
  press("Escape");
  expect(onClose).not.toHaveBeenCalled();
  press("Discard it");
  expect(onClose).toHaveBeenCalledTimes(1);
});
