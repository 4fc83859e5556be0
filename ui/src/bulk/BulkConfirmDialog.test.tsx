/** Tests of the beginning of a bulk run: what is checked and chosen before, and one that cannot begin, which is said also to somebody who has closed the dialog. */

import { act, cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { showWindowError } from "../errors/windowError";
import { errors } from "../gallery/fixtures";
import { renderInWorkspace, runWithBinding } from "../gallery/renderInWorkspace";
import type { BulkAction, BulkRun, CommandError } from "../ipc/bindings";
import { commands } from "../ipc/call";
import { BulkConfirmDialog } from "./BulkConfirmDialog";

vi.mock("../errors/ErrorNotice");
vi.mock("../errors/windowError");
vi.mock("../state/withBinding");
vi.mock("../components/Modal");
vi.mock("../components/Select", () => ({
  Select: ({ value, onChange }: { value: string; onChange: (value: string) => void }) => (
    <button type="button" onClick={() => onChange("both")}>{`Language: ${value}`}</button>
  ),
}));

const [offline = expect.fail("there is a sample of every kind")] = errors.offline;
const onStarted = vi.fn();

/** The answers of the starts that are under way, in their order. */
let starts: ((error: CommandError | null) => void)[];

beforeEach(() => {
  starts = [];
  onStarted.mockClear();
  vi.mocked(showWindowError).mockClear();
  vi.spyOn(commands, "planBulkRun").mockResolvedValue({ status: "ok", data: { count: 2, skipped: 0, sums: [] } });
  vi.spyOn(commands, "preferences").mockResolvedValue({ status: "ok", data: { paper: { language: "arabic" } } });
  vi.spyOn(commands, "checkBulkIssue").mockResolvedValue({ status: "ok", data: { checked: 2, refused: [], next: null } });
  vi.spyOn(commands, "issueDocuments").mockImplementation(
    () =>
      new Promise((resolve) => {
        starts.push((error) =>
          resolve(error ? { status: "error", error } : { status: "ok", data: { id: "r" } as unknown as BulkRun }),
        );
      }),
  );
  runWithBinding();
});
afterEach(cleanup);

const dialog = (action: BulkAction) => (
  <BulkConfirmDialog action={action} selection={{ base: "rows", rows: [] }} onStarted={onStarted} onClose={() => undefined} />
);

/** Confirms, and returns the button that did it. */
async function confirm() {
  const { unmount } = renderInWorkspace(dialog("issue"));
  const button = await screen.findByRole<HTMLButtonElement>("button", { name: /^Issue/ });
  fireEvent.click(button);
  return { button, unmount };
}

const answer = (error: CommandError | null) => act(async () => starts.at(-1)?.(error));

test("a run that could not begin is begun when it is tried again", async () => {
  await confirm();
  await answer(offline);
  fireEvent.click(screen.getByRole("button", { name: "Try now" }));
  expect(screen.queryByRole("alert")).toBeNull();
  await answer(null);
  expect(onStarted).toHaveBeenCalledOnce();
  expect(starts).toHaveLength(2);
});

test("what would be refused is looked for before a run that issues, and not before one that freezes", async () => {
  renderInWorkspace(dialog("freeze"));
  await screen.findByRole("button", { name: /^Freeze/ });
  expect(commands.checkBulkIssue).not.toHaveBeenCalled();
  cleanup();
  renderInWorkspace(dialog("issue"));
  await screen.findByText(/none would be refused/);
  expect(starts).toEqual([]);
});

test("files are saved in the chosen language of the paper, and the question stays while no folder is chosen", async () => {
  const run = { id: "r" } as unknown as BulkRun;
  const save = vi.spyOn(commands, "saveDocuments").mockResolvedValueOnce({ status: "ok", data: null });
  renderInWorkspace(dialog("savePdf"));
  // That of the preferences.
  fireEvent.click(await screen.findByRole("button", { name: "Language: arabic" }));
  const button = screen.getByRole("button", { name: /^Choose a folder for .*2.* files…$/ });
  await act(async () => fireEvent.click(button));
  expect(save.mock.lastCall?.slice(1, 3)).toEqual(["pdf", "both"]);
  expect(onStarted).not.toHaveBeenCalled();
  save.mockResolvedValueOnce({ status: "ok", data: run });
  await act(async () => fireEvent.click(button));
  expect(onStarted).toHaveBeenCalledExactlyOnceWith(run);
});

test("data is saved without a question about the language", async () => {
  renderInWorkspace(dialog("saveUbl"));
  await screen.findByRole("button", { name: /^Choose a folder/ });
  expect(screen.queryByRole("button", { name: /^Language/ })).toBeNull();
});

test("the button keeps the focus while the run begins, and begins it once", async () => {
  const { button } = await confirm();
  // A button that is disabled loses it.
  expect([button.disabled, button.getAttribute("aria-disabled")]).toEqual([false, "true"]);
  fireEvent.click(button);
  expect(starts).toHaveLength(1);
});

test("the failure of a run whose dialog was closed meanwhile is said above the screen", async () => {
  const { unmount } = await confirm();
  unmount();
  await answer(offline);
  expect(showWindowError).toHaveBeenCalledExactlyOnceWith(offline);
});
