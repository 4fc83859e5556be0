/** Tests of the history of a tenant: it is read in pages, and says who has made a change. */

import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import type { ModalProps } from "../components/Modal";
import { renderInWorkspace, runWithBinding } from "../gallery/renderInWorkspace";
import { plainText } from "../i18n/localizer";
import type { TenantRevision } from "../ipc/bindings";
import { commands } from "../ipc/call";
import { TenantHistoryDialog } from "./TenantHistoryDialog";

vi.mock("../components/announce");
vi.mock("../components/Modal", () => ({ Modal: ({ children }: ModalProps) => <div>{children}</div> }));
vi.mock("../state/withBinding");
afterEach(cleanup);

const revision = (number: number): TenantRevision => ({
  revision: number,
  time: "2026-11-14T07:40:00Z",
  by: "310000000000000003",
  action: "updated",
  changes: [],
});

test("what is before the first page is read on request", async () => {
  vi.spyOn(commands, "tenantHistory").mockImplementation(async (_, _tenant, page) => ({
    status: "ok",
    data: page === "" ? { revisions: [revision(3), revision(2)], nextPage: "older" } : { revisions: [revision(1)], nextPage: "" },
  }));
  runWithBinding();
  renderInWorkspace(<TenantHistoryDialog id="7" name="Andalus" onClose={() => undefined} />);
  fireEvent.click(await screen.findByRole("button", { name: "Show more" }));
  await waitFor(() => expect(screen.getAllByRole("listitem")).toHaveLength(3));
  expect(vi.mocked(commands.tenantHistory).mock.calls.map(([, tenant, page]) => [tenant, page])).toEqual([
    ["7", ""],
    ["7", "older"],
  ]);
});

test("a change by the command line of the service says so in the language of the window", async () => {
  vi.spyOn(commands, "tenantHistory").mockResolvedValue({
    status: "ok",
    data: { revisions: [{ ...revision(1), by: "command line" }], nextPage: "" },
  });
  runWithBinding();
  renderInWorkspace(<TenantHistoryDialog id="7" name="Andalus" onClose={() => undefined} />);
  const row = await screen.findByRole("listitem");
  expect(plainText(row.textContent ?? "")).toContain("by Command line of the server");
});
