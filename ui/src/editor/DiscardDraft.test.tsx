/** A draft is deleted once, and nothing brings it back. One that could not be deleted is saved on. */

import { QueryClientProvider } from "@tanstack/react-query";
import { act, cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { showStatus } from "../components/statusMessage";
import { errors, organizations, view } from "../gallery/fixtures";
import type { Draft } from "../ipc/bindings";
import { CommandFailure } from "../ipc/call";
import { type Navigation, NavigationContext } from "../state/navigation";
import { createQueryClient } from "../state/queryClient";
import { withBinding } from "../state/withBinding";
import { type Workspace, WorkspaceContext } from "../state/workspace";
import { type Autosave, createAutosave } from "./autosave";
import { DiscardDraftDialog } from "./DiscardDraft";

vi.mock("../i18n/LocalizerProvider", () => ({ useLocalizer: () => ({ t: (id: string) => id }) }));
vi.mock("../errors/ErrorNotice");
vi.mock("../components/Modal");
vi.mock("../components/statusMessage");
vi.mock("../state/withBinding");

afterEach(cleanup);

const draft = { key: "a" } as Draft;
const openInvoice = vi.fn();

/** Discards the draft, with the writes that the autosave makes before and after it. */
async function discard(
  onClose: () => void = () => undefined,
): Promise<{ autosave: Autosave<Draft>; save: ReturnType<typeof vi.fn>; button: HTMLButtonElement }> {
  const save = vi.fn().mockResolvedValue(undefined);
  const autosave = createAutosave<Draft>(save, (begin) => {
    const timer = setTimeout(begin);
    return () => clearTimeout(timer);
  });
  const workspace = { organization: organizations[0] } as unknown as Workspace;
  const navigation = { navigate: () => undefined, openInvoice } as unknown as Navigation;
  render(
    <QueryClientProvider client={createQueryClient()}>
      <WorkspaceContext value={workspace}>
        <NavigationContext value={navigation}>
          <DiscardDraftDialog draftKey="a" isOpen autosave={autosave} onClose={onClose} />
        </NavigationContext>
      </WorkspaceContext>
    </QueryClientProvider>,
  );
  autosave.schedule(draft);
  const button = await screen.findByRole<HTMLButtonElement>("button", { name: "discard-draft" });
  await act(async () => button.click());
  return { autosave, save, button };
}

test("what is typed after a draft could not be deleted is saved", async () => {
  vi.mocked(withBinding).mockRejectedValue(new Error("the disk is full"));
  const { autosave, save } = await discard();
  expect(await screen.findByRole("alert")).toBeTruthy();
  expect(save).toHaveBeenCalledTimes(1);
  autosave.schedule(draft);
  await autosave.flush();
  expect(save).toHaveBeenCalledTimes(2);
});

test("nothing saves a draft that was deleted", async () => {
  vi.mocked(withBinding).mockResolvedValue(null);
  const { autosave, save } = await discard();
  await vi.waitFor(() => expect(withBinding).toHaveBeenCalled());
  autosave.schedule(draft);
  await autosave.flush();
  expect(save).toHaveBeenCalledTimes(1);
});

test("the button keeps the focus while the draft is deleted, and deletes it once", async () => {
  vi.mocked(withBinding).mockClear();
  vi.mocked(withBinding).mockReturnValue(new Promise(() => undefined));
  const { button } = await discard();
  await vi.waitFor(() => expect(withBinding).toHaveBeenCalled());
  // A button that is disabled loses it.
  expect([button.disabled, button.getAttribute("aria-disabled")]).toEqual([false, "true"]);
  await act(async () => button.click());
  expect(withBinding).toHaveBeenCalledOnce();
});

test("a draft that is being deleted cannot be kept any more, and one that could not be deleted can", async () => {
  const answers: (() => void)[] = [];
  vi.mocked(withBinding).mockReturnValue(
    new Promise((_, reject) => {
      answers.push(() => reject(new Error("the disk is full")));
    }),
  );
  const onClose = vi.fn();
  await discard(onClose);
  const keep = screen.getByRole("button", { name: "keep-draft" });
  await act(async () => keep.click());
  expect(onClose).not.toHaveBeenCalled();
  await act(async () => answers.shift()?.());
  await screen.findByRole("alert");
  await act(async () => keep.click());
  expect(onClose).toHaveBeenCalledOnce();
});

test("what is filled in while the draft is deleted does not bring it back", async () => {
  const answers: (() => void)[] = [];
  vi.mocked(withBinding).mockImplementation(
    () =>
      new Promise<never>((resolve) => {
        answers.push(() => resolve(null as never));
      }),
  );
  const { autosave, save } = await discard();
  await expect.poll(() => answers.length).toBe(1);
  autosave.schedule(draft);
  const flushed = autosave.flush();
  await act(async () => answers.shift()?.());
  await flushed;
  expect(save).toHaveBeenCalledTimes(1);
});

test("a draft that has arrived leads to its document, says why, and is not written again", async () => {
  const [arrived = expect.fail("there is a sample")] = errors.alreadyExists;
  vi.mocked(withBinding).mockRejectedValue(new CommandFailure(arrived));
  const { autosave, save } = await discard();
  await vi.waitFor(() => expect(openInvoice).toHaveBeenCalledExactlyOnceWith(view.row.key));
  expect(showStatus).toHaveBeenCalledExactlyOnceWith("discard-arrived");
  autosave.schedule(draft);
  await autosave.flush();
  expect(save).toHaveBeenCalledTimes(1);
});
