/** Tests of the line of an export: what keeps it from being cancelled or closed is said there, and only its begin and end are announced. */

import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { announce } from "../components/announce";
import { errors } from "../gallery/fixtures";
import { renderInWorkspace } from "../gallery/renderInWorkspace";
import type { Export } from "../ipc/bindings";
import { CommandFailure } from "../ipc/call";
import { withBinding } from "../state/withBinding";
import { ExportLine } from "./ExportLine";

vi.mock("../components/announce");
vi.mock("../state/withBinding");
vi.mock("../errors/ErrorNotice");
beforeEach(() => vi.mocked(announce).mockClear());
afterEach(() => {
  cleanup();
  vi.mocked(withBinding).mockReset();
});

function line(state: Export["state"], rows: number | null = 1) {
  const exported = {
    id: "e",
    state,
    format: "csv",
    file: "invoices.csv",
    rows,
    total: 2,
    kibibytes: 0,
    error: null,
  } as unknown as Export;
  return <ExportLine exported={exported} />;
}

const show = (state: Export["state"]) => renderInWorkspace(line(state));

test.each(["interrupted", "cancelled", "failed"] as const)("an export that is %s is started again", async (state) => {
  vi.mocked(withBinding).mockResolvedValue(null);
  show(state);
  fireEvent.click(screen.getByRole("button", { name: "Start again: invoices.csv" }));
  await waitFor(() => expect(withBinding).toHaveBeenCalledTimes(1));
});

test.each(["running", "finished"] as const)("an export that is %s is not", (state) => {
  show(state);
  expect(screen.queryByRole("button", { name: /^Start again/ })).toBeNull();
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
  fireEvent.click(screen.getByRole("button", { name: `${button}: invoices.csv` }));
  expect((await screen.findByRole("alert")).textContent).toContain("offline");
  fireEvent.click(screen.getByRole("button", { name: "Try now" }));
  await waitFor(() => expect(screen.queryByRole("alert")).toBeNull());
  expect(withBinding).toHaveBeenCalledTimes(2);
});

test("the begin and the end of an export are announced, and the rows between them only shown", async () => {
  const { container, rerender } = show("running");
  await waitFor(() => expect(announce).toHaveBeenCalledTimes(1));
  rerender(line("running", 2));
  expect(container.textContent).toMatch(/2\W* of \W*2/);
  expect(container.querySelector("[role=status], [aria-live]")).toBeNull();
  rerender(line("finished", 2));
  await waitFor(() => expect(announce).toHaveBeenCalledTimes(2));
  const announced = vi.mocked(announce).mock.calls.map(([text]) => text);
  expect(announced).toEqual(["invoices.csv: 1 of 2 rows", expect.stringContaining("invoices.csv is complete")]);
});

test("a file whose rows are not known is said to be complete without a number of documents", () => {
  const { container } = renderInWorkspace(line("finished", null));
  expect(container.textContent).toMatch(/invoices\.csv\W* is complete\./);
});
