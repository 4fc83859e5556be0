/** Tests of a deletion that ends after its dialog was closed. */

import { act, cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { ModalProps } from "../components/Modal";
import { showWindowError } from "../errors/windowError";
import { view } from "../gallery/fixtures";
import { renderInWorkspace } from "../gallery/renderInWorkspace";
import type { CommandError } from "../ipc/bindings";
import { CommandFailure } from "../ipc/call";
import { withBinding } from "../state/withBinding";
import { DeleteDialog } from "./DeleteDialog";

vi.mock("../state/withBinding");
vi.mock("../errors/ErrorNotice");
vi.mock("../errors/windowError");
vi.mock("../components/Modal", () => ({ Modal: ({ isOpen, actions }: ModalProps) => isOpen && actions }));

const onDeleted = vi.fn();
let end: (error: CommandError | null) => void;

beforeEach(() => {
  onDeleted.mockClear();
  vi.mocked(showWindowError).mockClear();
  vi.mocked(withBinding).mockReturnValue(
    new Promise<never>((resolve, reject) => {
      end = (error) => (error ? reject(new CommandFailure(error)) : resolve(null as never));
    }),
  );
});
afterEach(cleanup);

const dialog = (isOpen: boolean) => <DeleteDialog isOpen={isOpen} view={view} onDeleted={onDeleted} onClose={() => undefined} />;

function remove() {
  const shown = renderInWorkspace(dialog(true));
  fireEvent.click(screen.getAllByRole("button").at(-1) ?? expect.fail("there is a button that deletes"));
  return shown;
}

test("a deletion closes the document that it was about, and no other one that is open by then", async () => {
  const { rerender } = remove();
  rerender(dialog(false));
  await act(async () => end(null));
  expect(onDeleted).toHaveBeenCalledOnce();
});

test("a deletion that ends when another document is open leaves that one open", async () => {
  const { unmount } = remove();
  unmount();
  await act(async () => end(null));
  expect(onDeleted).not.toHaveBeenCalled();
});

test("the failure of a deletion whose dialog was closed is said above the screen", async () => {
  const { rerender } = remove();
  rerender(dialog(false));
  await act(async () => end({ kind: "staleBinding" }));
  expect(showWindowError).toHaveBeenCalledExactlyOnceWith({ kind: "staleBinding" });
});
