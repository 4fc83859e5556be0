/** Tests of when the window says that the outbox has sent a draft, and that it does not of one that was taken out of the queue. */

import { act, cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { showStatus } from "../components/statusMessage";
import { createAutosave } from "../editor/autosave";
import { DiscardDraftDialog } from "../editor/DiscardDraft";
import { content, errors, organizations } from "../gallery/fixtures";
import { renderInWorkspace, runWithBinding } from "../gallery/renderInWorkspace";
import type { Draft, DraftState, DraftSummary } from "../ipc/bindings";
import { commands } from "../ipc/call";
import { draftQuery, draftsQuery, invalidateDrafts } from "../queries/draftQueries";
import { type Navigation, NavigationContext } from "../state/navigation";
import { createQueryClient } from "../state/queryClient";
import { tell } from "../windows/notices";
import { OutboxDeliveries } from "./OutboxDeliveries";

vi.mock("../state/withBinding");
vi.mock("../components/statusMessage");
vi.mock("../windows/notices");
vi.mock("../components/Modal", () => ({ Modal: ({ actions }: { actions: React.ReactNode }) => <div>{actions}</div> }));

const organization = organizations[0] ?? expect.fail("there are sample organizations");
const [unknown = expect.fail("there is a sample")] = errors.unknownOutcome;
const draft: Draft = { key: "a", changes: null, content, state: "editing" };
const summary: Omit<DraftSummary, "state"> = {
  key: "a",
  kind: "invoice",
  buyer: { en: "Noor", ar: "" },
  lines: 1,
  gross: "115.00",
  currency: "SAR",
  updated: "2026-11-25T09:00:00Z",
  similar: [],
};

/** The state of the draft in the core; `null`: it is gone. */
let stored: DraftState | null;
/** Whether the list is not read any more. */
let isListSlow: boolean;

beforeEach(() => {
  stored = "waiting";
  isListSlow = false;
  vi.mocked(showStatus).mockClear();
  vi.mocked(tell).mockClear();
  navigation.navigate.mockClear();
  vi.spyOn(commands, "drafts").mockImplementation(async () => {
    if (isListSlow) await new Promise(() => undefined);
    return { status: "ok", data: stored === null ? [] : [{ ...summary, state: stored }] };
  });
  vi.spyOn(commands, "openDraft").mockImplementation(async () => {
    if (stored === "waiting") stored = "editing";
    return { status: "ok", data: { ...draft, state: stored ?? "editing" } };
  });
  vi.spyOn(commands, "discardDraft").mockImplementation(async () => {
    stored = null;
    return { status: "ok", data: null };
  });
  runWithBinding();
});
afterEach(cleanup);

const statusTexts = () => vi.mocked(showStatus).mock.calls.map(([text]) => text);
const navigation = { navigate: vi.fn(), openInvoice: vi.fn() };
const autosave = createAutosave<Draft>(() => Promise.resolve());

function Window() {
  return (
    <>
      <OutboxDeliveries />
      <DiscardDraftDialog draftKey="a" isOpen autosave={autosave} onClose={() => undefined} />
    </>
  );
}

/** Shows the window after it has listed the draft. */
async function showWindow() {
  const client = createQueryClient();
  renderInWorkspace(
    <NavigationContext value={navigation as unknown as Navigation}>
      <Window />
    </NavigationContext>,
    { client },
  );
  const listed = () => client.getQueryData(draftsQuery(organization.id).queryKey)?.map(({ state }) => state);
  await expect.poll(listed).toEqual([stored]);
  return { client, listed };
}

const open = (client: ReturnType<typeof createQueryClient>) =>
  act(() => client.fetchQuery(draftQuery(organization.id, "a")).then(() => undefined));
const discard = () => fireEvent.click(screen.getByRole("button", { name: "Discard draft" }));

test("a draft that is gone from the queue was sent", async () => {
  const { client } = await showWindow();
  stored = null;
  invalidateDrafts(client, organization.id);
  await expect.poll(statusTexts).toEqual(["1 draft was sent."]);
  const about = { id: organization.id, name: organization.name };
  expect(tell).toHaveBeenCalledExactlyOnceWith(about, `delivery:a ${summary.updated}`, "1 draft was sent.");
  expect(showStatus).toHaveBeenCalledExactlyOnceWith("1 draft was sent.", { organization: organization.id, key: "a" });
});

const draftIn = (state: DraftState, index: number) => ({ ...summary, key: `draft-${index}`, state });

const list = (...states: DraftState[]) =>
  vi.mocked(commands.drafts).mockResolvedValue({ status: "ok", data: states.map(draftIn) });

test("what was sent and what was refused is told to whoever is elsewhere once, when the queue is done", async () => {
  list("waiting", "waiting");
  const client = createQueryClient();
  renderInWorkspace(<OutboxDeliveries />, { client });
  const states = () => client.getQueryData(draftsQuery(organization.id).queryKey)?.map(({ state }) => state);
  await expect.poll(states).toEqual(["waiting", "waiting"]);
  list("refused", "sending");
  invalidateDrafts(client, organization.id);
  await expect.poll(statusTexts).toEqual(["1 draft was not accepted. It is in Unsent drafts."]);
  expect(tell).not.toHaveBeenCalled();
  list("refused");
  invalidateDrafts(client, organization.id);
  await expect
    .poll(() => vi.mocked(tell).mock.calls.map(([, , text]) => text))
    .toEqual(["1 draft was sent. 1 draft was not accepted. It is in Unsent drafts."]);
});

test("a draft that is opened is listed as one that is edited", async () => {
  const { client, listed } = await showWindow();
  await open(client);
  await expect.poll(listed).toEqual(["editing"]);
  expect(commands.drafts).toHaveBeenCalledTimes(2);
});

test("a draft that is opened and discarded was not sent, also if the list was not read in between", async () => {
  const { client, listed } = await showWindow();
  isListSlow = true;
  await open(client);
  isListSlow = false;
  discard();
  await expect.poll(listed).toEqual([]);
  expect(showStatus).not.toHaveBeenCalled();
});

test("a draft in doubt that is discarded was not sent", async () => {
  const { client, listed } = await showWindow();
  stored = "unknownOutcome";
  await open(client);
  await expect.poll(listed).toEqual(["unknownOutcome"]);
  discard();
  await expect.poll(listed).toEqual([]);
  expect(showStatus).not.toHaveBeenCalled();
});

test("a draft that is not discarded, because the outbox sends it, is reported as sent", async () => {
  vi.spyOn(commands, "discardDraft").mockResolvedValue({ status: "error", error: unknown });
  const { client, listed } = await showWindow();
  stored = "sending";
  await open(client);
  await expect.poll(listed).toEqual(["sending"]);
  discard();
  await expect.poll(() => vi.mocked(commands.discardDraft).mock.calls.length).toBe(1);
  stored = null;
  invalidateDrafts(client, organization.id);
  await expect.poll(statusTexts).toEqual(["1 draft was sent."]);
});
