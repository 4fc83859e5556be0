/** Tests of the line of an export: what keeps it from being cancelled or closed is said there. */

import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { errors, organizations } from "../gallery/fixtures";
import { LocalizerProvider } from "../i18n/LocalizerProvider";
import type { Export } from "../ipc/bindings";
import { CommandFailure } from "../ipc/call";
import { createQueryClient } from "../state/queryClient";
import { withBinding } from "../state/withBinding";
import { type Workspace, WorkspaceContext } from "../state/workspace";
import { ExportLine } from "./ExportLine";

vi.mock("../state/withBinding");
vi.mock("../errors/ErrorNotice");
afterEach(() => {
  cleanup();
  vi.mocked(withBinding).mockReset();
});

function show(state: Export["state"]) {
  const exported = {
    id: "e",
    state,
    format: "csv",
    file: "invoices.csv",
    rows: 1,
    total: 2,
    kibibytes: 0,
    error: null,
  } as unknown as Export;
  render(
    <QueryClientProvider client={createQueryClient()}>
      <LocalizerProvider preferences={{ language: "en", theme: "light", digits: "latin" }}>
        <WorkspaceContext value={{ organization: organizations[0], retries: [] } as unknown as Workspace}>
          <ExportLine exported={exported} />
        </WorkspaceContext>
      </LocalizerProvider>
    </QueryClientProvider>,
  );
}

test.each(["interrupted", "cancelled", "failed"] as const)("an export that is %s is started again", async (state) => {
  vi.mocked(withBinding).mockResolvedValue(null);
  show(state);
  fireEvent.click(screen.getByRole("button", { name: "Start again" }));
  await waitFor(() => expect(withBinding).toHaveBeenCalledTimes(1));
});

test.each(["running", "finished"] as const)("an export that is %s is not", (state) => {
  show(state);
  expect(screen.queryByRole("button", { name: "Start again" })).toBeNull();
});

test.each([
  ["running", "Cancel"],
  ["finished", "Close"],
] as const)("the failure to end an export that is %s is shown, and gone after another try", async (state, button) => {
  const [offline] = errors.offline;
  vi.mocked(withBinding)
    .mockRejectedValueOnce(new CommandFailure(offline ?? expect.fail("there is a sample of every kind")))
    .mockResolvedValueOnce(null);
  show(state);
  expect(screen.queryByRole("alert")).toBeNull();
  fireEvent.click(screen.getByRole("button", { name: button }));
  expect((await screen.findByRole("alert")).textContent).toContain("offline");
  fireEvent.click(screen.getByRole("button", { name: "Try now" }));
  await waitFor(() => expect(screen.queryByRole("alert")).toBeNull());
  expect(withBinding).toHaveBeenCalledTimes(2);
});
