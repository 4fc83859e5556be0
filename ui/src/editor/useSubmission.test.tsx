/** Tests of sending a document: what nobody has confirmed is not issued, and who has left the form is told how it ended. */

import { useQuery } from "@tanstack/react-query";
import { act, cleanup, renderHook } from "@testing-library/react";
import type { ReactNode } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { showStatus } from "../components/statusMessage";
import { showWindowError } from "../errors/windowError";
import { content, errors, organizations, row, view } from "../gallery/fixtures";
import { runWithBinding, workspaceWrapper } from "../gallery/renderInWorkspace";
import { useUnfinishedSteps } from "../invoices/lifecycleSteps";
import type { Draft, DraftSummary, InvoiceView } from "../ipc/bindings";
import { commands } from "../ipc/call";
import { draftQuery } from "../queries/draftQueries";
import { type Navigation, NavigationContext } from "../state/navigation";
import { nothingSimilar } from "./similar";
import type { DraftEditor } from "./useDraftEditor";
import { useSubmission } from "./useSubmission";

vi.mock("../state/withBinding");
vi.mock("../components/statusMessage");
vi.mock("../errors/windowError");

const [organization] = organizations;
const navigate = vi.fn();
const openInvoice = vi.fn();
const navigation = { navigate, openInvoice } as unknown as Navigation;
const draft: Draft = { key: row.key, changes: { stamp: "1", content }, content, state: "editing" };
const editorOf = (edited: Draft) =>
  ({
    state: { draft: edited },
    autosave: { flush: async () => undefined, stop: () => undefined },
    setCalculation: () => undefined,
  }) as unknown as DraftEditor;
const editor = editorOf(draft);
/** The document as it was saved, before it is issued. */
const saved: InvoiceView = { ...view, row: { ...row, number: "", status: "draft", stamp: "2" } };

beforeEach(() => {
  for (const mock of [navigate, openInvoice, vi.mocked(showStatus), vi.mocked(showWindowError)]) mock.mockClear();
  const calculation = { lines: [], taxBreakdown: [], totals: null, violations: [] };
  vi.spyOn(commands, "calculate").mockResolvedValue({ status: "ok", data: calculation });
  vi.spyOn(commands, "rememberDocument").mockResolvedValue({ status: "ok", data: { party: null, items: [] } });
  runWithBinding();
});
afterEach(cleanup);

/** What a window has around the form. */
function inWindow() {
  const InWorkspace = workspaceWrapper();
  return ({ children }: { children: ReactNode }) => (
    <InWorkspace>
      <NavigationContext value={navigation}>{children}</NavigationContext>
    </InWorkspace>
  );
}

/** Saves the draft, which gives `answer`, and issues it. */
async function saveAndIssue(answer: InvoiceView) {
  vi.spyOn(commands, "updateDocument").mockResolvedValue({ status: "ok", data: answer });
  const issue = vi.spyOn(commands, "issueDocument").mockResolvedValue({ status: "ok", data: view });
  issue.mockClear();
  const { result } = renderHook(() => ({ submission: useSubmission(editor), left: useUnfinishedSteps(answer).unfinished }), {
    wrapper: inWindow(),
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
  expect(showStatus, "the document that is opened shows it").not.toHaveBeenCalled();
});

/** Saves a draft, leaves the form before a command of the core is answered, and does something else in the window `meanwhile`. */
async function leaveBefore(
  answer: () => void,
  command: unknown,
  edited: Draft,
  meanwhile: (wrapper: ReturnType<typeof inWindow>) => void = () => undefined,
) {
  const wrapper = inWindow();
  const { result, unmount } = renderHook(() => useSubmission(editorOf(edited)), { wrapper });
  let sent = Promise.resolve();
  act(() => {
    sent = result.current.submit();
  });
  await vi.waitFor(() => expect(command).toHaveBeenCalled());
  unmount();
  meanwhile(wrapper);
  answer();
  await sent;
}

/** A promise, and what resolves it. */
function later<T>(value: T): { promise: Promise<T>; answer: () => void } {
  const answers: (() => void)[] = [];
  const promise = new Promise<T>((resolve) => {
    answers.push(() => resolve(value));
  });
  return { promise, answer: () => answers.shift()?.() };
}

test("a document that is saved after its form was left is told, and opens nothing over what is shown then", async () => {
  const { promise, answer } = later({ status: "ok" as const, data: saved });
  await leaveBefore(answer, vi.spyOn(commands, "updateDocument").mockReturnValue(promise), draft);
  expect(showStatus).toHaveBeenCalledExactlyOnceWith(expect.stringContaining("Saved to"));
  expect([navigate.mock.calls, openInvoice.mock.calls]).toEqual([[], []]);
});

test("a form that was opened again before the document was saved is closed with it", async () => {
  const { promise, answer } = later({ status: "ok" as const, data: saved });
  const update = vi.spyOn(commands, "updateDocument").mockReturnValue(promise);
  const openAgain = { ...draftQuery(organization?.id ?? "", draft.key), initialData: draft, staleTime: Number.POSITIVE_INFINITY };
  await leaveBefore(answer, update, draft, (wrapper) => renderHook(() => useQuery(openAgain), { wrapper }));
  expect(openInvoice).toHaveBeenCalledExactlyOnceWith(draft.key);
});

test("a document that is refused after its form was left says so above what is shown then", async () => {
  const error = errors.permissionDenied[0] ?? expect.fail("there is a sample of every kind");
  const { promise, answer } = later({ status: "error" as const, error });
  await leaveBefore(answer, vi.spyOn(commands, "updateDocument").mockReturnValue(promise), draft);
  expect(showWindowError).toHaveBeenCalledExactlyOnceWith(error);
});

test("a document that is refused for its content after its form was left says where to go on", async () => {
  const error = errors.invalidArgument[2] ?? expect.fail("there is a sample of every kind");
  const { promise, answer } = later({ status: "error" as const, error });
  await leaveBefore(answer, vi.spyOn(commands, "updateDocument").mockReturnValue(promise), draft);
  expect(showStatus).toHaveBeenCalledExactlyOnceWith(expect.stringContaining("Unsent drafts"));
  expect(showWindowError).not.toHaveBeenCalled();
});

test("a document that may repeat another one is not sent after its form was left, and that is told", async () => {
  const similar = { documents: [{ ...row, key: "another" }], waiting: [], offline: false };
  const { promise, answer } = later({ status: "ok" as const, data: similar });
  const create = vi.spyOn(commands, "createDocument");
  const asked = vi.spyOn(commands, "similarDocuments").mockReturnValue(promise);
  await leaveBefore(answer, asked, { ...draft, changes: null });
  expect(showStatus).toHaveBeenCalledExactlyOnceWith(expect.stringContaining("Not sent to"));
  expect(create).not.toHaveBeenCalled();
});

test("what the person has seen is noted for the outbox before the document is sent, if there is any", async () => {
  const waiting: DraftSummary = {
    key: "waiting",
    kind: "invoice",
    buyer: row.buyer,
    lines: 1,
    gross: row.gross,
    currency: row.currency,
    updated: "2026-11-25T09:00:00Z",
    state: "waiting",
    similar: [],
  };
  const asked = vi.spyOn(commands, "similarDocuments");
  asked.mockResolvedValue({ status: "ok", data: { documents: [{ ...row, key: "another" }], waiting: [waiting], offline: true } });
  const done: unknown[] = [];
  vi.spyOn(commands, "acceptSimilar").mockImplementation(async (_, key, documents) => {
    done.push([key, documents]);
    return { status: "ok", data: null };
  });
  vi.spyOn(commands, "createDocument").mockImplementation(async () => {
    done.push("sent");
    return { status: "ok", data: saved };
  });
  const { result } = renderHook(() => useSubmission(editorOf({ ...draft, changes: null })), { wrapper: inWindow() });
  await act(() => result.current.submit());
  expect(done, "nobody has seen it").toEqual([]);
  await act(async () => result.current.submitAnyway());
  await expect.poll(() => done).toEqual([[draft.key, ["another", "waiting"]], "sent"]);
  asked.mockResolvedValue({ status: "ok", data: nothingSimilar });
  await act(() => result.current.submit());
  expect(done.slice(2)).toEqual(["sent"]);
});
