/** Tests of the files whose documents were deleted elsewhere: they are listed, saved and removed. */

import { cleanup, fireEvent, screen, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { showStatus } from "../components/statusMessage";
import { renderInWorkspace, runWithBinding } from "../gallery/renderInWorkspace";
import type { AttachmentsView, FileWithoutDocument } from "../ipc/bindings";
import { commands } from "../ipc/call";
import { FilesWithoutDocument } from "./FilesWithoutDocument";

vi.mock("../state/withBinding");
vi.mock("../components/statusMessage");
vi.mock("../components/Modal", () => ({
  Modal: ({ actions, children }: { actions: React.ReactNode; children: React.ReactNode }) => (
    <dialog open>
      {children}
      {actions}
    </dialog>
  ),
}));

const gone: AttachmentsView = {
  attachments: [],
  editable: false,
  offline: false,
  limits: { count: 10, bytes: 100, extensions: ["pdf"] },
  problem: null,
};

let files: FileWithoutDocument[];

beforeEach(() => {
  const file = { bytes: 1, added: null, waiting: true, problem: null };
  files = [{ document: "a", file: { ...file, id: "1", fileName: "offer.pdf" } }];
  vi.mocked(showStatus).mockClear();
  vi.spyOn(commands, "listFilesWithoutDocument").mockImplementation(async () => ({ status: "ok", data: files }));
  vi.spyOn(commands, "saveAttachment").mockResolvedValue({ status: "ok", data: "offer.pdf" });
  vi.spyOn(commands, "removeAttachment").mockImplementation(async () => {
    files = [];
    return { status: "ok", data: gone };
  });
  runWithBinding();
});
afterEach(cleanup);

test("a file without a document is saved as a copy, and stays", async () => {
  renderInWorkspace(<FilesWithoutDocument />);
  fireEvent.click(await screen.findByRole("button", { name: /^Save .*offer\.pdf/ }));
  await expect.poll(() => vi.mocked(showStatus).mock.calls.length).toBe(1);
  expect(vi.mocked(commands.saveAttachment).mock.calls[0]?.slice(1)).toEqual(["a", "1"]);
  expect(screen.queryByText("offer.pdf")).not.toBeNull();
});

test("a file without a document is removed after a question, and the list goes with the last one", async () => {
  renderInWorkspace(<FilesWithoutDocument />);
  fireEvent.click(await screen.findByRole("button", { name: /^Remove .*offer\.pdf/ }));
  expect(commands.removeAttachment).not.toHaveBeenCalled();
  fireEvent.click(within(screen.getByRole("dialog")).getByRole("button", { name: "Remove" }));
  await expect.poll(() => screen.queryByText("offer.pdf")).toBeNull();
  expect(vi.mocked(commands.removeAttachment).mock.calls[0]?.slice(1)).toEqual(["a", "1"]);
});
