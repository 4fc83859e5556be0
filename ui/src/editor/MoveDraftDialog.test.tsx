/** A draft is moved with what was typed last. The window leaves its form, and goes along only when it is asked to. */

import { act, cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { showStatus } from "../components/statusMessage";
import { errors, organizations, view } from "../gallery/fixtures";
import { renderInWorkspace, runWithBinding } from "../gallery/renderInWorkspace";
import type { Draft } from "../ipc/bindings";
import { commands } from "../ipc/call";
import { takeFirstView } from "../state/firstView";
import { NavigationContext } from "../state/navigation";
import { createAutosave } from "./autosave";
import { MoveDraftDialog } from "./MoveDraftDialog";

vi.mock("../components/Modal");
vi.mock("../components/statusMessage");
vi.mock("../errors/ErrorNotice");
vi.mock("../state/withBinding");
const switchTo = vi.fn(() => Promise.resolve(true));
vi.mock("../organizations/useSwitchOrganization", () => ({ useSwitchOrganization: () => ({ error: null, switchTo }) }));
// jsdom has none, and lists use it.
vi.stubGlobal("CSS", { escape: (text: string) => text });

const draft = { key: "a" } as Draft;
const [here = expect.fail("there is a sample"), there = expect.fail("there is another")] = organizations;

let done: string[] = [];
const onClose = vi.fn();
const navigate = vi.fn();
const openInvoice = vi.fn();

beforeEach(() => {
  done = [];
  vi.clearAllMocks();
  runWithBinding();
  vi.spyOn(commands, "moveDraft").mockImplementation(async () => {
    done.push("moved");
    return { status: "ok", data: "b" };
  });
});
afterEach(cleanup);

/** Opens the dialog over a form with something typed. `fill` is under way in the form until it is ended. */
function open(fill?: { end: () => void }) {
  // A write that waits at the end of a test belongs to that test.
  const doneHere = done;
  const autosave = createAutosave<Draft>(
    async () => {
      doneHere.push("saved");
    },
    (begin) => {
      const timer = setTimeout(begin);
      return () => clearTimeout(timer);
    },
  );
  const dialog = (filling: boolean) => (
    <NavigationContext value={{ navigate, openInvoice } as never}>
      <MoveDraftDialog draftKey="a" autosave={autosave} withDraft={(work) => work()} filling={filling} onClose={onClose} />
    </NavigationContext>
  );
  const { rerender } = renderInWorkspace(dialog(fill !== undefined));
  if (fill) fill.end = () => rerender(dialog(false));
  autosave.schedule(draft);
  return autosave;
}

/** Chooses the other organization, and moves the draft there. */
async function move() {
  fireEvent.change(screen.getByRole("searchbox"), { target: { value: there.domain } });
  fireEvent.keyDown(screen.getByRole("searchbox"), { key: "Enter" });
  const button = screen.getByRole("button", { name: /^Move to/ });
  await act(async () => button.click());
}

test("the other organizations are offered, and none is chosen", () => {
  open();
  const offered = screen.getAllByRole("option").map(({ textContent }) => textContent);
  expect(offered).toHaveLength(organizations.length - 1);
  expect(offered.join()).not.toContain(here.domain);
  expect(screen.getByRole<HTMLButtonElement>("button", { name: "Choose an organization" }).disabled).toBe(true);
});

test("what was typed last is written before the draft is moved, and nothing afterwards", async () => {
  const autosave = open();
  await move();
  await waitFor(() => expect(navigate).toHaveBeenCalled());
  expect(commands.moveDraft).toHaveBeenCalledExactlyOnceWith({ organization: here.id, generation: 1 }, "a", there.id);
  autosave.schedule(draft);
  await autosave.flush();
  expect(done).toEqual(["saved", "moved"]);
});

test("what was chosen before is filled in and written before the draft is moved", async () => {
  const fill = { end: (): void => expect.fail("the dialog is not open") };
  const autosave = open(fill);
  await autosave.flush();
  await move();
  expect(done, "it waits for the fill").toEqual(["saved"]);
  autosave.schedule(draft);
  await act(async () => fill.end());
  await waitFor(() => expect(navigate).toHaveBeenCalled());
  expect(done).toEqual(["saved", "saved", "moved"]);
});

test("what is filled in while the draft is moved does not bring it back", async () => {
  const answers: (() => void)[] = [];
  vi.spyOn(commands, "moveDraft").mockImplementation(async () => {
    await new Promise<void>((resolve) => {
      answers.push(resolve);
    });
    return { status: "ok", data: "b" };
  });
  const autosave = open();
  await move();
  await expect.poll(() => answers.length).toBe(1);
  autosave.schedule(draft);
  const flushed = autosave.flush();
  await act(async () => answers.shift()?.());
  await flushed;
  await waitFor(() => expect(navigate).toHaveBeenCalled());
  expect(done).toEqual(["saved"]);
});

test("a draft that has arrived is not moved: the window shows its document, and says why", async () => {
  const [arrived = expect.fail("there is a sample")] = errors.alreadyExists;
  vi.spyOn(commands, "moveDraft").mockResolvedValue({ status: "error", error: arrived });
  const autosave = open();
  await move();
  await waitFor(() => expect(openInvoice).toHaveBeenCalledExactlyOnceWith(view.row.key));
  expect(showStatus).toHaveBeenCalledExactlyOnceWith(expect.stringContaining("it was not moved"));
  expect(onClose).toHaveBeenCalledOnce();
  autosave.schedule(draft);
  await autosave.flush();
  expect(done).toEqual(["saved"]);
});

test("the window leaves the form, says where the draft is, and stays in its organization", async () => {
  open();
  await move();
  await waitFor(() => expect(navigate).toHaveBeenCalledExactlyOnceWith({ name: "invoices" }));
  expect(showStatus).toHaveBeenCalledExactlyOnceWith(expect.stringContaining(there.name));
  expect(switchTo).not.toHaveBeenCalled();
});

test("on request the window is switched, and begins with the draft", async () => {
  open();
  fireEvent.click(screen.getByRole("checkbox"));
  await move();
  await waitFor(() => expect(switchTo).toHaveBeenCalledExactlyOnceWith(there.id));
  expect(takeFirstView()).toEqual({ name: "editor", draft: "b" });
  expect(navigate).not.toHaveBeenCalled();
});

test("a window that cannot be switched leaves the form, and begins the next time as ever", async () => {
  switchTo.mockResolvedValueOnce(false);
  open();
  fireEvent.click(screen.getByRole("checkbox"));
  await move();
  await waitFor(() => expect(navigate).toHaveBeenCalledExactlyOnceWith({ name: "invoices" }));
  expect(takeFirstView()).toEqual({ name: "invoices" });
});

test("a draft that was not moved stays in its form, which goes on saving it", async () => {
  vi.spyOn(commands, "moveDraft").mockResolvedValue({ status: "error", error: { kind: "draftNotMoved", problem: "sent" } });
  const autosave = open();
  await move();
  expect((await screen.findByRole("alert")).textContent).toContain("draftNotMoved");
  autosave.schedule(draft);
  await autosave.flush();
  expect(done).toEqual(["saved", "saved"]);
  expect(navigate).not.toHaveBeenCalled();
  fireEvent.click(screen.getByRole("button", { name: "Cancel" }));
  expect(onClose).toHaveBeenCalledOnce();
});
