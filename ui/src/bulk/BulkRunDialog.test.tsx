/** Tests of the results of a bulk run: in pages, while the run goes on, and where they lead. */

import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { ModalProps } from "../components/Modal";
import { row, support } from "../gallery/fixtures";
import { renderInWorkspace, runWithBinding } from "../gallery/renderInWorkspace";
import type { BulkResult, BulkRun, CommandError, Permissions } from "../ipc/bindings";
import { commands } from "../ipc/call";
import { usePermissions } from "../queries/permissionsQuery";
import { type Navigation, NavigationContext } from "../state/navigation";
import { BulkRunDialog } from "./BulkRunDialog";

vi.mock("../queries/permissionsQuery");
vi.mock("../state/withBinding");
vi.mock("../components/Modal", () => ({ Modal: ({ children }: ModalProps) => children }));
vi.mock("../components/Select", () => ({ Select: ({ value }: { value: string }) => <output>{value}</output> }));
vi.mock("./FailureText", () => ({ FailureText: ({ error }: { error: CommandError }) => <p>{error.kind}</p> }));

beforeEach(() => {
  vi.spyOn(commands, "bulkResults").mockImplementation(async (_, __, onlyFailed) => ({
    status: "ok",
    data: { results: [], total: onlyFailed ? 1 : 150 },
  }));
  runWithBinding();
});
afterEach(cleanup);

function dialog(failed: number, part: Partial<BulkRun> = {}) {
  const run: BulkRun = {
    id: "r",
    action: "issue",
    folder: null,
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
    ...part,
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

test("documents that were refused because of the seller lead to its details, once for the run", async () => {
  vi.mocked(usePermissions).mockReturnValue({ ownTenant: true } as Permissions);
  const violations = [{ field: null, path: "invoice.seller.address", rule: "BR-KSA-09", description: "x" }];
  const error: CommandError = { kind: "invalidArgument", violations, support };
  const results = ["a", "b"].map((key): BulkResult => ({ row: { ...row, key }, outcome: { state: "failed", error } }));
  vi.mocked(commands.bulkResults).mockResolvedValue({ status: "ok", data: { results, total: 2 } });
  const navigate = vi.fn();
  renderInWorkspace(<NavigationContext value={{ navigate } as unknown as Navigation}>{dialog(2)}</NavigationContext>);
  fireEvent.click(await screen.findByRole("button", { name: "Open the company details" }));
  expect(screen.getAllByText("invalidArgument")).toHaveLength(2);
  expect(navigate).toHaveBeenCalledExactlyOnceWith({ name: "administration", section: "ownTenant" });
});

test("a document that is saved has the name of its file", async () => {
  const results: BulkResult[] = [{ row, outcome: { state: "saved", file: "INV-2026-0417_2.pdf" } }];
  vi.mocked(commands.bulkResults).mockResolvedValue({ status: "ok", data: { results, total: 1 } });
  renderInWorkspace(dialog(0, { action: "savePdf", folder: "May" }));
  expect((await screen.findByRole("listitem")).textContent).toMatch(/Saved as \W*INV-2026-0417_2\.pdf/);
});
