/** Tests of the audit: how much a filter finds, or a new read shows, is announced; it asks for whole days; and its events are saved once. */

import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { announce } from "../components/announce";
import { renderInWorkspace, runWithBinding, untilAnnounced } from "../gallery/renderInWorkspace";
import type { AuditEventView } from "../ipc/bindings";
import { commands } from "../ipc/call";
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
    <>
      <button type="button" onClick={() => onChange({ group: "records" })}>
        Only records
      </button>
      <input aria-label="From" onChange={({ target }) => onChange({ period: "days", firstDay: target.value })} />
    </>
  ),
}));

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
  runWithBinding();
  renderInWorkspace(<OrganizationAudit />);
});
afterEach(cleanup);

test("how many events a changed filter has found is announced, and nothing for the first one", async () => {
  await screen.findByText("event 2");
  fireEvent.click(screen.getByRole("button", { name: "Only records" }));
  await waitFor(() => expect(vi.mocked(announce).mock.calls).toEqual([["1 result"]]), untilAnnounced);
});

test("events that are read again are announced with their number, also if nothing has changed", async () => {
  await screen.findByText("event 2");
  fireEvent.click(screen.getByRole("button", { name: "Refresh" }));
  await waitFor(() => expect(announce).toHaveBeenLastCalledWith("3 events are shown"));
  expect(commands.listAuditEvents).toHaveBeenCalledTimes(2);
});

const type = (day: string) => fireEvent.change(screen.getByLabelText("From"), { target: { value: day } });
const asked = () =>
  vi
    .mocked(commands.listAuditEvents)
    .mock.calls.slice(1)
    .map(([, { from }]) => from);

test("a year that is typed digit by digit asks once it is whole, and says until then that the list stays", async () => {
  await screen.findByText("event 2");
  const first = new Date(2026, 9, 30).toISOString();
  type("2026-10-30");
  await waitFor(() => expect(asked()).toEqual([first]));
  for (const day of ["0002-10-30", "0020-10-30", "0202-10-30"]) type(day);
  await screen.findByText(/Finish the date/);
  type("2025-10-30");
  await waitFor(() => expect(asked()).toEqual([first, new Date(2025, 9, 30).toISOString()]));
  expect(screen.queryByText(/Finish the date/)).toBeNull();
});

test("the button that saves shows that it is at work, keeps the focus, and saves once", async () => {
  await screen.findByText("event 2");
  vi.mocked(commands.listAuditEvents).mockReturnValue(new Promise(() => undefined));
  const button = screen.getByRole<HTMLButtonElement>("button", { name: "Save as CSV" });
  fireEvent.click(button);
  await waitFor(() => expect([button.disabled, button.getAttribute("aria-disabled")]).toEqual([false, "true"]));
  fireEvent.click(button);
  expect(commands.listAuditEvents).toHaveBeenCalledTimes(2);
});
