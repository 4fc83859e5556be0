/** Tests of the steps after a document was saved: what nobody has confirmed is not issued. */

import { QueryClientProvider } from "@tanstack/react-query";
import { act, cleanup, renderHook } from "@testing-library/react";
import type { ReactNode } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { content, organizations, row, view } from "../gallery/fixtures";
import { LocalizerProvider } from "../i18n/LocalizerProvider";
import { useUnfinishedSteps } from "../invoices/lifecycleSteps";
import type { Draft, InvoiceView } from "../ipc/bindings";
import { CommandFailure, commands } from "../ipc/call";
import { type Navigation, NavigationContext } from "../state/navigation";
import { createQueryClient } from "../state/queryClient";
import { withBinding } from "../state/withBinding";
import { type Workspace, WorkspaceContext } from "../state/workspace";
import type { DraftEditor } from "./useDraftEditor";
import { useSubmission } from "./useSubmission";

vi.mock("../state/withBinding");
vi.mock("../components/statusMessage");

const workspace = { organization: organizations[0] } as unknown as Workspace;
const navigation = { navigate: () => undefined, openInvoice: () => undefined } as unknown as Navigation;
const draft: Draft = { key: row.key, changes: { stamp: "1", content }, content, state: "editing" };
const editor = {
  state: { draft },
  autosave: { flush: async () => undefined, stop: () => undefined },
  setCalculation: () => undefined,
} as unknown as DraftEditor;
/** The document as it was saved, before it is issued. */
const saved: InvoiceView = { ...view, row: { ...row, number: "", status: "draft", stamp: "2" } };

beforeEach(() => {
  const calculation = { lines: [], taxBreakdown: [], totals: null, violations: [] };
  vi.spyOn(commands, "calculate").mockResolvedValue({ status: "ok", data: calculation });
  vi.spyOn(commands, "rememberDocument").mockResolvedValue({ status: "ok", data: null });
  vi.mocked(withBinding).mockImplementation(async (bound, command) => {
    const answer = await command({ organization: bound, generation: 1 });
    if (answer.status === "error") throw new CommandFailure(answer.error);
    return answer.data;
  });
});
afterEach(cleanup);

/** Saves the draft, which gives `answer`, and issues it. */
async function saveAndIssue(answer: InvoiceView) {
  vi.spyOn(commands, "updateDocument").mockResolvedValue({ status: "ok", data: answer });
  const issue = vi.spyOn(commands, "issueDocument").mockResolvedValue({ status: "ok", data: view });
  issue.mockClear();
  const client = createQueryClient();
  const { result } = renderHook(() => ({ submission: useSubmission(editor), left: useUnfinishedSteps(answer).unfinished }), {
    wrapper: ({ children }: { children: ReactNode }) => (
      <QueryClientProvider client={client}>
        <LocalizerProvider preferences={{ language: "en", theme: "light", digits: "latin" }}>
          <WorkspaceContext value={workspace}>
            <NavigationContext value={navigation}>{children}</NavigationContext>
          </WorkspaceContext>
        </LocalizerProvider>
      </QueryClientProvider>
    ),
  });
  await act(() => result.current.submission.submit(["issue"]));
  return { issued: issue.mock.calls.map(([, key, stamp]) => [key, stamp]), left: result.current.left };
}

test("a document that nobody else has changed is issued as it was confirmed", async () => {
  expect(await saveAndIssue(saved)).toEqual({ issued: [[row.key, "2"]], left: null });
});

test("what somebody else has changed meanwhile is looked at before it is issued", async () => {
  const theirs = { ...content, note: "Theirs" };
  const merged = { event: { time: "2026-11-26T09:00:00Z", by: "Salem" }, before: content, theirs };
  const { issued, left } = await saveAndIssue({ ...saved, merged });
  expect(issued).toEqual([]);
  expect(left).toMatchObject({ steps: ["issue"], error: { kind: "aborted", support: { operation: "issue_document" } } });
});
