/** Tests of what stays in the window while its account signs in again, and what does not. */

import { QueryClientProvider, useQuery } from "@tanstack/react-query";
import { act, cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { useState } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ModalWindow } from "../components/ModalWindow";
import { isDialogOpen } from "../components/openDialogs";
import { useShortcut } from "../components/shortcuts";
import { createValueStore, useValueStore } from "../components/valueStore";
import { organizations } from "../gallery/fixtures";
import { LocalizerProvider } from "../i18n/LocalizerProvider";
import type { SessionView, Snapshot } from "../ipc/bindings";
import { createQueryClient } from "../state/queryClient";
import { useWorkspace } from "../state/workspace";
import { Screen } from "./App";

const snapshots = vi.hoisted(() => ({ use: (): unknown => null }));
const read = vi.fn(() => Promise.resolve("read"));
const onShortcut = vi.fn();

vi.mock(import("../state/snapshotStore"), async (original) => ({
  ...(await original()),
  useSnapshot: () => snapshots.use() as Snapshot | null,
}));
vi.mock("../organizations/useOrganizationNames", () => ({ useOrganizationNames: () => undefined }));
vi.mock("../session/BrowserSignInScreen", () => ({
  BrowserSignInScreen: () => (
    <main>
      {/* oxlint-disable-next-line jsx-a11y/no-autofocus */}
      <button type="button" autoFocus>
        Open it again
      </button>
    </main>
  ),
}));
vi.mock("../session/SignInScreen", () => ({ SignInScreen: () => <main>Who are you?</main> }));
vi.mock("../shell/AppShell", () => ({ AppShell: Shell }));
// jsdom has none, and modal dialogs use it.
vi.stubGlobal("CSS", { escape: (text: string) => text });

function Shell() {
  const { id } = useWorkspace().organization;
  const [open, setOpen] = useState(false);
  const { data } = useQuery({ queryKey: [id, "drafts"], queryFn: read });
  useShortcut("palette", onShortcut);
  return (
    <div>
      <button type="button" onClick={() => setOpen(true)}>
        Record a payment
      </button>
      <p>{data ?? "reading"}</p>
      <ModalWindow title="Payment" isOpen={open} onClose={() => setOpen(false)}>
        <input aria-label="Note" />
        <input aria-label="Amount" />
      </ModalWindow>
    </div>
  );
}

const environment = { name: "local", kind: "local" };
const organization = organizations[0] ?? expect.fail("there are sample organizations");
const store = createValueStore<Snapshot | null>(null);
let revision = 0;

function publish(session: object): Promise<void> {
  revision += 1;
  const binding = { organization: organization.id, generation: 1 };
  const snapshot = { revision, session: session as SessionView, binding, pendingRetries: [] } as unknown as Snapshot;
  return act(async () => store.set(snapshot));
}

const waiting = { state: "waiting", environment, address: "", error: null, slow: false };
const signedIn = (subject: string) => ({
  state: "signedIn",
  environment,
  account: { subject },
  organizations,
  impersonation: null,
  connectivity: { state: "online" },
});

/** The window of an account, with a payment that is being typed. */
async function openWithPayment() {
  const client = createQueryClient();
  render(
    <QueryClientProvider client={client}>
      <LocalizerProvider preferences={{ language: "en", theme: "light", digits: "latin" }}>
        <Screen />
      </LocalizerProvider>
    </QueryClientProvider>,
  );
  await publish(signedIn("a"));
  fireEvent.click(await screen.findByText("Record a payment"));
  const amount = screen.getByLabelText<HTMLInputElement>("Amount");
  fireEvent.change(amount, { target: { value: "12.50" } });
  act(() => amount.focus());
  return { client, amount };
}

/** Whether a person sees the element. */
function isSeen(element: Element): boolean {
  for (let each: Element | null = element; each; each = each.parentElement) {
    if (getComputedStyle(each).display === "none") return false;
  }
  return element.isConnected;
}

beforeEach(() => {
  store.set(null);
  snapshots.use = () => useValueStore(store);
  read.mockClear();
  onShortcut.mockClear();
});
afterEach(cleanup);

test("what is typed in a dialog is there again after the account has signed in again, with the focus", async () => {
  const { amount } = await openWithPayment();
  await publish(waiting);
  expect(isSeen(amount)).toBe(false);
  expect(isSeen(screen.getByText("Record a payment"))).toBe(false);
  expect(document.title).not.toContain(organization.name);
  await waitFor(() => expect(document.activeElement?.textContent).toBe("Open it again"));
  // Nothing of the dialog covers the screen of the sign-in.
  expect(screen.getByRole("button", { name: "Open it again" })).toBeDefined();
  expect(isDialogOpen()).toBe(false);

  await publish({ ...waiting, state: "finishing" });
  await publish(signedIn("a"));
  expect(screen.getByLabelText("Amount")).toBe(amount);
  expect([amount.value, isSeen(amount), document.activeElement === amount]).toEqual(["12.50", true, true]);
  expect(isDialogOpen()).toBe(true);
  expect(document.title).toContain(organization.name);
});

test("a window that is hidden reads nothing and hears no shortcuts, and reads again what may have changed when it is shown", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const { client } = await openWithPayment();
  await publish(waiting);
  const reads = read.mock.calls.length;
  await act(() => client.invalidateQueries());
  fireEvent.keyDown(document.body, { key: "k", ctrlKey: true });
  expect([read.mock.calls.length, onShortcut.mock.calls.length]).toEqual([reads, 0]);
  // Somebody looks for a password. What the screens show is still there.
  await act(() => vi.advanceTimersByTimeAsync(3_600_000));
  expect(client.getQueryData([organization.id, "drafts"])).toBe("read");

  await publish(signedIn("a"));
  await waitFor(() => expect(read.mock.calls.length).toBeGreaterThan(reads));
  vi.useRealTimers();
});

test("nothing of an account is left when another one signs in", async () => {
  const { amount, client } = await openWithPayment();
  client.setQueryData([organization.id, "note"], "of a");
  await publish(waiting);
  await publish(signedIn("b"));
  expect(amount.isConnected).toBe(false);
  expect(client.getQueryData([organization.id, "note"])).toBeUndefined();
  fireEvent.click(await screen.findByText("Record a payment"));
  expect(screen.getByLabelText<HTMLInputElement>("Amount").value).toBe("");
});

test("nothing of an account is left after signing out", async () => {
  const { amount, client } = await openWithPayment();
  await publish({ state: "signedOut", lastEnvironment: null, error: null });
  expect(await screen.findByText("Who are you?")).toBeDefined();
  expect(amount.isConnected).toBe(false);
  expect(client.getQueryData([organization.id, "drafts"])).toBeUndefined();
  await publish(waiting);
  await publish(signedIn("a"));
  fireEvent.click(await screen.findByText("Record a payment"));
  expect(screen.getByLabelText<HTMLInputElement>("Amount").value).toBe("");
});
