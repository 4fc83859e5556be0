/** Tests of the results of a bulk run in pages, while the run goes on. */

import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { ModalProps } from "../components/Modal";
import { renderInWorkspace, runWithBinding } from "../gallery/renderInWorkspace";
import type { BulkRun } from "../ipc/bindings";
import { commands } from "../ipc/call";
import { BulkRunDialog } from "./BulkRunDialog";

vi.mock("../state/withBinding");
vi.mock("../components/Modal", () => ({ Modal: ({ children }: ModalProps) => children }));
vi.mock("../components/Select", () => ({ Select: ({ value }: { value: string }) => <output>{value}</output> }));

beforeEach(() => {
  vi.spyOn(commands, "bulkResults").mockImplementation(async (_, __, onlyFailed) => ({
    status: "ok",
    data: { results: [], total: onlyFailed ? 1 : 150 },
  }));
  runWithBinding();
});
afterEach(cleanup);

function dialog(failed: number) {
  const run: BulkRun = {
    id: "r",
    action: "issue",
    state: "running",
    plan: { count: 300, sums: [], skipped: 0 } as unknown as BulkRun["plan"],
    collected: 300,
    done: 150,
    failed,
    started: "2026-11-03T09:00:00Z",
    durable: true,
    interrupted: false,
    error: null,
    changed: null,
  };
  return <BulkRunDialog run={run} onOpen={() => undefined} onClose={() => undefined} />;
}

const shown = () => screen.getByRole("status").textContent;

test("the first failure is shown by itself, unless somebody has turned the page", async () => {
  const { rerender } = renderInWorkspace(dialog(0));
  expect(shown()).toBe("all");
  rerender(dialog(1));
  expect(shown()).toBe("failed");
  cleanup();

  const other = renderInWorkspace(dialog(0));
  fireEvent.click(await screen.findByRole("button", { name: "Next page" }));
  other.rerender(dialog(1));
  expect(shown()).toBe("all");
  await waitFor(() => expect(vi.mocked(commands.bulkResults).mock.lastCall?.slice(1, 4)).toEqual(["r", false, 100]));
});

test("that there are no results is said when they are read, and not before", async () => {
  const answers: (() => void)[] = [];
  vi.mocked(commands.bulkResults).mockReturnValue(
    new Promise((resolve) => {
      answers.push(() => resolve({ status: "ok", data: { results: [], total: 0 } }));
    }),
  );
  renderInWorkspace(dialog(0));
  expect(screen.queryByText("None")).toBeNull();
  answers.shift()?.();
  expect(await screen.findByText("None")).toBeTruthy();
});
