/**
 * The confirmation of issuing: what it says of a credit note, and that its buttons keep the focus while the document is sent, nothing is sent
 * twice, and the wait is announced.
 */

import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { announce } from "../components/announce";
import { content } from "../gallery/fixtures";
import { renderInWorkspace, untilAnnounced } from "../gallery/renderInWorkspace";
import { createQueryClient } from "../state/queryClient";
import { IssueDialog, type IssueDialogProps } from "./IssueDialog";
import { nothingSimilar } from "./similar";

vi.mock("../components/announce");
vi.mock("../components/Modal");
vi.mock("../invoices/DocumentSummary", () => ({ DocumentSummary: () => null }));
afterEach(cleanup);

const checked = { calculation: { lines: [], taxBreakdown: [], totals: null, violations: [] }, similar: nothingSimilar };

const nothing = () => undefined;

function open(part: Partial<IssueDialogProps>) {
  const client = createQueryClient();
  client.setDefaultOptions({ queries: { enabled: false } });
  renderInWorkspace(
    <IssueDialog content={content} checked={checked} busy={false} onConfirm={nothing} onClose={nothing} {...part} />,
    { client },
  );
}

test("a credit note is not said to be corrected by another one", () => {
  open({ content: { ...content, kind: "creditNote" } });
  expect(screen.getByText(/nothing in it can be edited\.$/)).toBeTruthy();
});

test("while the document is sent, no button does anything or loses the focus, and the wait is announced", async () => {
  vi.mocked(announce).mockClear();
  const press = vi.fn();
  open({ busy: true, onConfirm: press, onClose: press });
  const buttons = screen.getAllByRole<HTMLButtonElement>("button");
  expect(buttons).toHaveLength(3);
  for (const button of buttons) {
    fireEvent.click(button);
    expect([button.disabled, button.getAttribute("aria-disabled")]).toEqual([false, "true"]);
  }
  expect(press).not.toHaveBeenCalled();
  await waitFor(() => expect(announce).toHaveBeenCalledWith(expect.stringContaining("Working on it")), untilAnnounced);
});
