/** What the confirmation of issuing says when the service refuses, and what its button does meanwhile. */

import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { support, view } from "../gallery/fixtures";
import { renderInWorkspace } from "../gallery/renderInWorkspace";
import type { CommandError, Permissions } from "../ipc/bindings";
import { usePermissions } from "../queries/permissionsQuery";
import { type Navigation, NavigationContext } from "../state/navigation";
import { ConfirmDialog, type ConfirmDialogProps } from "./ConfirmDialog";

vi.mock("../session/useSignIn", () => ({ useSignIn: () => ({}) }));
vi.mock("../components/Modal");
vi.mock("../queries/permissionsQuery");
afterEach(cleanup);

const navigate = vi.fn();

function open(part: Partial<ConfirmDialogProps>) {
  renderInWorkspace(
    <NavigationContext value={{ navigate } as unknown as Navigation}>
      <ConfirmDialog
        action="issue"
        view={view}
        busy={false}
        error={null}
        onConfirm={() => undefined}
        onEdit={() => undefined}
        onClose={() => undefined}
        {...part}
      />
    </NavigationContext>,
  );
}

test("a refused issue says each reason, and offers to edit the document", async () => {
  const error: CommandError = {
    kind: "invalidArgument",
    violations: [
      { field: "details.taxCurrency", path: "taxCurrency", rule: "BR-KSA-68", description: "x" },
      { field: null, path: "lines", rule: "INV-CREDIT-ABOVE-ORIGINAL", description: "x" },
    ],
    support: { ...support, operation: "issue_document" },
  };
  const onEdit = vi.fn();
  open({ error, onEdit });
  expect(await screen.findByText(/can be issued/)).toBeTruthy();
  expect(screen.getByText(/State the tax in Saudi riyals/)).toBeTruthy();
  expect(screen.getByText(/cannot give back more than what it corrects/)).toBeTruthy();
  fireEvent.click(screen.getByRole("button", { name: "Edit" }));
  expect(onEdit).toHaveBeenCalledOnce();
});

const ofSeller: CommandError = {
  kind: "invalidArgument",
  violations: [{ field: null, path: "changes.content.invoice.seller.otherIds", rule: "BR-KSA-08", description: "x" }],
  support: { ...support, operation: "issue_document" },
};

test("an issue that is refused because of the seller leads those to its details who may change them", async () => {
  vi.mocked(usePermissions).mockReturnValue({ ownTenant: true } as Permissions);
  open({ error: ofSeller });
  fireEvent.click(await screen.findByRole("button", { name: "Open the company details" }));
  expect(navigate).toHaveBeenCalledExactlyOnceWith({ name: "administration", section: "ownTenant" });
});

test("others are told who can change the details of the seller", async () => {
  vi.mocked(usePermissions).mockReturnValue({ ownTenant: false } as Permissions);
  open({ error: ofSeller });
  expect(await screen.findByText(/Ask an administrator there/)).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Open the company details" })).toBeNull();
});

test.each([
  ["issue", "invoice", /a credit note corrects it\.$/],
  ["issue", "creditNote", /nothing in it can be edited\.$/],
  ["freeze", "invoice", /corrected by a credit note that names it\.$/],
  ["freeze", "creditNote", /never changes again\.$/],
] as const)("what corrects the document is said, and nothing corrects a credit note (%s, %s)", (action, kind, hint) => {
  open({ action, view: { ...view, row: { ...view.row, kind } } });
  expect(screen.getByText(hint)).toBeTruthy();
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
