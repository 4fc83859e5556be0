/** Tests of what the audit announces: how much a changed filter has found, and how much is shown when it is read again. */

import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { announce } from "../components/announce";
import { organizations } from "../gallery/fixtures";
import { LocalizerProvider } from "../i18n/LocalizerProvider";
import type { AuditEventView } from "../ipc/bindings";
import { commands } from "../ipc/call";
import { createQueryClient } from "../state/queryClient";
import { withBinding } from "../state/withBinding";
import { type Workspace, WorkspaceContext } from "../state/workspace";
import { OrganizationAudit } from "./Audit";
import type { AuditFilter } from "./auditFilter";

vi.mock("../components/announce");
vi.mock("../state/withBinding");
vi.mock("./AdministrationError", () => ({ AdministrationError: () => null }));
vi.mock("./AuditEventRow", () => ({
  AuditEventRow: ({ event }: { event: AuditEventView }) => (
    <tr>
      <td>{event.id}</td>
    </tr>
  ),
}));
vi.mock("./AuditFilters", () => ({
  AuditFilters: ({ onChange }: { onChange: (changed: Partial<AuditFilter>) => void }) => (
    <button type="button" onClick={() => onChange({ group: "records" })}>
      Only records
    </button>
  ),
}));

const organization = organizations[0] ?? expect.fail("there are sample organizations");
const events = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ id: `event ${index}`, time: "2026-11-14T07:40:00Z" }) as AuditEventView);
let found: AuditEventView[];

beforeEach(() => {
  vi.mocked(announce).mockClear();
  found = events(3);
  vi.spyOn(commands, "listAuditEvents").mockImplementation(async (_, { kinds }) => ({
    status: "ok",
    data: { events: kinds.length === 0 ? found : found.slice(0, 1), nextPage: "" },
  }));
  vi.mocked(withBinding).mockImplementation(async (_, command) => {
    const answer = await command({ organization: organization.id, generation: 1 });
    if (answer.status === "error") throw new Error("refused");
    return answer.data;
  });
  render(
    <QueryClientProvider client={createQueryClient()}>
      <LocalizerProvider preferences={{ language: "en", theme: "light", digits: "latin" }}>
        <WorkspaceContext value={{ organization } as unknown as Workspace}>
          <OrganizationAudit />
        </WorkspaceContext>
      </LocalizerProvider>
    </QueryClientProvider>,
  );
});
afterEach(cleanup);

test("how many events a changed filter has found is announced, and nothing for the first one", async () => {
  await screen.findByText("event 2");
  fireEvent.click(screen.getByRole("button", { name: "Only records" }));
  await waitFor(() => expect(vi.mocked(announce).mock.calls).toEqual([["1 result"]]));
});

test("events that are read again are announced with their number, also if nothing has changed", async () => {
  await screen.findByText("event 2");
  fireEvent.click(screen.getByRole("button", { name: "Refresh" }));
  await waitFor(() => expect(announce).toHaveBeenLastCalledWith("3 events are shown"));
  expect(commands.listAuditEvents).toHaveBeenCalledTimes(2);
});
