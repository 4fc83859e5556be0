/** Tests of the debit note of a document: a button and a command of the palette, for those who may create documents. */

import { cleanup, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { applicableCommands, runCommand } from "../components/commands";
import { view } from "../gallery/fixtures";
import { renderInWorkspace } from "../gallery/renderInWorkspace";
import type { InvoiceView } from "../ipc/bindings";
import { createQueryClient } from "../state/queryClient";
import { RelationsSection } from "./RelationsSection";

const drafts = vi.hoisted(() => ({ start: vi.fn(), offered: true, busy: false, error: null }));
vi.mock("../drafts/useNewDraft", () => ({ useNewDraft: () => drafts }));
afterEach(() => {
  cleanup();
  drafts.start.mockClear();
  drafts.offered = true;
});

function show(row: Partial<InvoiceView["row"]> = {}): void {
  const client = createQueryClient();
  client.setDefaultOptions({ queries: { enabled: false } });
  renderInWorkspace(<RelationsSection view={{ ...view, row: { ...view.row, ...row } }} />, { client });
}

const offersCommand = () => applicableCommands().some(({ id }) => id === "debitNote");

test("the palette makes a debit note of an issued invoice, as the button does", () => {
  show();
  expect(screen.getByRole("button", { name: "Debit note" })).toBeTruthy();
  runCommand("debitNote");
  expect(drafts.start).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ kind: "debitNote" }));
});

test.each([
  ["a draft", { status: "draft" }],
  ["a credit note", { kind: "creditNote" }],
] as const)("%s has no debit note", (_, row) => {
  show(row);
  expect(offersCommand()).toBe(false);
});

test("somebody who may not create documents is offered none", () => {
  drafts.offered = false;
  show();
  expect(screen.queryByRole("button", { name: "Debit note" })).toBeNull();
  expect(offersCommand()).toBe(false);
});

test("the command goes with the document", () => {
  show();
  cleanup();
  expect(offersCommand()).toBe(false);
});
