/** The confirmation of issuing while the document is sent: its buttons keep the focus, nothing is sent twice, and the wait is announced. */

import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { announce } from "../components/announce";
import { content } from "../gallery/fixtures";
import { renderInWorkspace, untilAnnounced } from "../gallery/renderInWorkspace";
import { createQueryClient } from "../state/queryClient";
import { IssueDialog } from "./IssueDialog";

vi.mock("../components/announce");
vi.mock("../components/Modal");
vi.mock("../invoices/DocumentSummary", () => ({ DocumentSummary: () => null }));
afterEach(cleanup);

const checked = { calculation: { lines: [], taxBreakdown: [], totals: null, violations: [] }, similar: [] };

test("while the document is sent, no button does anything or loses the focus, and the wait is announced", async () => {
  vi.mocked(announce).mockClear();
  const press = vi.fn();
  const client = createQueryClient();
  client.setDefaultOptions({ queries: { enabled: false } });
  renderInWorkspace(<IssueDialog content={content} checked={checked} busy onConfirm={press} onClose={press} />, { client });
  const buttons = screen.getAllByRole<HTMLButtonElement>("button");
  expect(buttons).toHaveLength(3);
  for (const button of buttons) {
    fireEvent.click(button);
    expect([button.disabled, button.getAttribute("aria-disabled")]).toEqual([false, "true"]);
  }
  expect(press).not.toHaveBeenCalled();
  await waitFor(() => expect(announce).toHaveBeenCalledWith(expect.stringContaining("Working on it")), untilAnnounced);
});
