/** Tests of what is offered on an invoice: what its state allows and the service permits. And of trying again what has failed. */

import { act, cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import type { ReactNode } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { errors, organizations, view } from "../gallery/fixtures";
import { renderInWorkspace, runWithBinding } from "../gallery/renderInWorkspace";
import type { CommandError, InvoiceView, Permissions } from "../ipc/bindings";
import { commands } from "../ipc/call";
import type { PaperActionsProps } from "../paper/PaperActions";
import { refusalOf } from "../queries/draftQueries";
import { NavigationContext } from "../state/navigation";
import { createQueryClient } from "../state/queryClient";
import type { ConfirmDialogProps } from "./ConfirmDialog";
import { InvoiceActions } from "./InvoiceActions";
import { setUnfinishedSteps } from "./lifecycleSteps";

vi.mock("../errors/ErrorNotice");
vi.mock("../state/withBinding");
vi.mock("../paper/PaperActions", () => ({
  PaperActions: ({ before, after }: PaperActionsProps) => (
    <>
      {before}
      {after}
    </>
  ),
}));
vi.mock("../components/Menu", () => ({
  MenuSeparator: () => null,
  MenuItem: ({ children, onAction }: { children: ReactNode; onAction: () => void }) => (
    <button type="button" onClick={onAction}>
      {children}
    </button>
  ),
}));
vi.mock("../templates/SaveTemplate", () => ({ SaveTemplate: () => null }));
vi.mock("./ConfirmDialog", () => ({
  ConfirmDialog: ({ error, onConfirm, onEdit }: ConfirmDialogProps) => (
    <div role="alertdialog">
      <button type="button" onClick={error ? onEdit : onConfirm}>
        {error ? "Correct it" : "Confirm"}
      </button>
    </div>
  ),
}));

const navigate = vi.fn();
const { key } = view.row;
const [organization = expect.fail("there are sample organizations")] = organizations;

beforeEach(() => {
  navigate.mockClear();
  runWithBinding();
  vi.spyOn(commands, "documentDefaults").mockReturnValue(new Promise(() => undefined));
  // The draft is open elsewhere at first.
  vi.spyOn(commands, "openDraft")
    .mockResolvedValueOnce({ status: "error", error: { kind: "draftInOtherWindow", key } })
    .mockResolvedValue({
      status: "ok",
      data: { key, changes: { stamp: view.row.stamp, content: view.content }, content: view.content, state: "editing" },
    });
});
afterEach(cleanup);

function show(
  status: InvoiceView["row"]["status"],
  permissions: Partial<Permissions> | undefined,
  kind: InvoiceView["row"]["kind"] = "invoice",
) {
  const client = createQueryClient();
  client.setDefaultOptions({ queries: { enabled: false } });
  if (permissions) client.setQueryData([organization.id, "permissions"], permissions);
  const shown = { ...view, row: { ...view.row, status, kind } };
  renderInWorkspace(
    <NavigationContext value={{ openInvoice: vi.fn(), navigate, flushAutosaves: () => Promise.resolve() } as never}>
      <InvoiceActions view={shown} onClose={() => undefined} />
    </NavigationContext>,
    { client, workspace: { session: { impersonation: null } } },
  );
  return client;
}

function offered(...of: Parameters<typeof show>): string[] {
  show(...of);
  return screen.queryAllByRole("button").map((button) => button.firstChild?.textContent ?? "");
}

const CLERK = { createDocuments: true, updateDocuments: true, issueDocuments: true };

test("everything that the state allows is offered while permissions are not known", () => {
  expect(offered("draft", undefined)).toEqual(["Issue", "Edit", "Duplicate", "Save as template", "Delete"]);
});

test("a clerk deletes no draft and freezes nothing", () => {
  expect(offered("draft", CLERK)).toEqual(["Issue", "Edit", "Duplicate", "Save as template"]);
  cleanup();
  expect(offered("issued", CLERK)).toEqual(["Credit note", "Duplicate", "Save as template"]);
  cleanup();
  expect(offered("issued", { ...CLERK, freezeDocuments: true })).toEqual([
    "Freeze",
    "Credit note",
    "Duplicate",
    "Save as template",
  ]);
});

test("a debit note is credited as an invoice is, and a credit note is not", () => {
  expect(offered("frozen", CLERK, "debitNote")).toEqual(["Credit note", "Duplicate"]);
  cleanup();
  expect(offered("frozen", CLERK, "creditNote")).toEqual(["Duplicate"]);
});

test("somebody who only reads is offered no change", () => {
  expect(offered("issued", {})).toEqual(["Save as template"]);
});

test("a draft that could not be opened is tried again, and no step of the document is", async () => {
  show("draft", CLERK);
  fireEvent.click(screen.getByRole("button", { name: /^Edit/ }));
  expect((await screen.findByRole("alert")).textContent).toContain("draftInOtherWindow");
  fireEvent.click(screen.getByRole("button", { name: "Try now" }));
  await waitFor(() => expect(navigate).toHaveBeenCalledExactlyOnceWith({ name: "editor", draft: key }));
  expect(screen.queryByRole("alert")).toBeNull();
});

test("a form that the confirmation cannot open ends it, and the error is in its place", async () => {
  const { support } = errors.internal[0] ?? expect.fail("there is a sample of every kind");
  const refusal: CommandError = { kind: "invalidArgument", violations: [], support };
  vi.spyOn(commands, "issueDocument").mockResolvedValue({ status: "error", error: refusal });
  const client = show("draft", CLERK);
  fireEvent.click(screen.getByRole("button", { name: /^Issue/ }));
  fireEvent.click(screen.getByRole("button", { name: "Confirm" }));
  fireEvent.click(await screen.findByRole("button", { name: "Correct it" }));
  expect((await screen.findByRole("alert")).textContent).toContain("draftInOtherWindow");
  expect(screen.queryByRole("alertdialog")).toBeNull();
  fireEvent.click(screen.getByRole("button", { name: "Try now" }));
  await waitFor(() => expect(navigate).toHaveBeenCalledExactlyOnceWith({ name: "editor", draft: key }));
  expect(refusalOf(client, organization.id, key), "the form says what was refused").toEqual(refusal);
});

test("a step that is not done is offered without taking the focus, which may be in the list", async () => {
  const client = show("draft", CLERK);
  const [error = expect.fail("there is a sample of every kind")] = errors.offline;
  await act(async () => setUnfinishedSteps(client, organization.id, key, { steps: ["issue"], error }));
  const [finish, issue] = screen.getAllByRole("button", { name: /^Issue/ });
  expect(finish?.hasAttribute("data-finish")).toBe(true);
  const filled = [finish, issue].map((button) => button?.classList.contains("bg-accent"));
  expect(filled, "one of two buttons with the same name is filled").toEqual([true, false]);
  expect(document.activeElement).toBe(document.body);
});

const pressIssueKey = () => fireEvent.keyDown(document.body, { key: "I", ctrlKey: true, shiftKey: true });

test("the key of a step asks nothing while an earlier step of the document runs, as its button", async () => {
  show("draft", CLERK);
  pressIssueKey();
  expect(screen.getByRole("alertdialog")).toBeTruthy();
  cleanup();
  vi.spyOn(commands, "issueDocument").mockReturnValue(new Promise(() => undefined));
  const client = show("draft", CLERK);
  const [error = expect.fail("there is a sample of every kind")] = errors.offline;
  await act(async () => setUnfinishedSteps(client, organization.id, key, { steps: ["issue"], error }));
  const [finish = expect.fail("the step is offered")] = screen.getAllByRole("button", { name: /^Issue/ });
  fireEvent.click(finish);
  expect(commands.issueDocument).toHaveBeenCalledOnce();
  pressIssueKey();
  expect(screen.queryByRole("alertdialog")).toBeNull();
});
