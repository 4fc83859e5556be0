/** What the confirmation of issuing says when the service refuses, and what its button does meanwhile. */

import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { errors, view } from "../gallery/fixtures";
import { renderInWorkspace } from "../gallery/renderInWorkspace";
import type { CommandError } from "../ipc/bindings";
import { ConfirmDialog, type ConfirmDialogProps } from "./ConfirmDialog";

vi.mock("../session/useSignIn", () => ({ useSignIn: () => ({}) }));
vi.mock("../components/Modal");
afterEach(cleanup);

function open(part: Partial<ConfirmDialogProps>) {
  renderInWorkspace(
    <ConfirmDialog
      action="issue"
      view={view}
      busy={false}
      error={null}
      onConfirm={() => undefined}
      onEdit={() => undefined}
      onClose={() => undefined}
      {...part}
    />,
  );
}

test("a refused issue says each reason, and offers to edit the document", async () => {
  const support = {
    ...(errors.internal[0] ?? expect.fail("there is a sample of every kind")).support,
    operation: "issue_document",
  };
  const error: CommandError = {
    kind: "invalidArgument",
    violations: [
      { field: "details.taxCurrency", path: "taxCurrency", rule: "BR-KSA-68", description: "x" },
      { field: null, path: "lines", rule: "INV-CREDIT-ABOVE-ORIGINAL", description: "x" },
    ],
    support,
  };
  const onEdit = vi.fn();
  open({ error, onEdit });
  expect(await screen.findByText(/can be issued/)).toBeTruthy();
  expect(screen.getByText(/State the tax in Saudi riyals/)).toBeTruthy();
  expect(screen.getByText(/cannot give back more than what it corrects/)).toBeTruthy();
  fireEvent.click(screen.getByRole("button", { name: "Edit" }));
  expect(onEdit).toHaveBeenCalledOnce();
});

test("the button keeps the focus while the document is issued, and does not issue it again", () => {
  const onConfirm = vi.fn();
  open({ busy: true, onConfirm });
  const button = screen.getByRole<HTMLButtonElement>("button", { name: "Issue" });
  // A button that is disabled loses it.
  expect([button.disabled, button.getAttribute("aria-disabled")]).toEqual([false, "true"]);
  fireEvent.click(button);
  expect(onConfirm).not.toHaveBeenCalled();
});
