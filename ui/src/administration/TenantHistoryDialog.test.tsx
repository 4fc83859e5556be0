/** Tests of the history of a tenant: it is read in pages, and names who has made a change. */

import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import type { ModalProps } from "../components/Modal";
import { renderInWorkspace, runWithBinding } from "../gallery/renderInWorkspace";
import { plainText } from "../i18n/localizer";
import type { Permissions, TenantRevision, UserView } from "../ipc/bindings";
import { commands } from "../ipc/call";
import { TenantHistoryDialog } from "./TenantHistoryDialog";

vi.mock("../components/announce");
vi.mock("../components/Modal", () => ({ Modal: ({ children }: ModalProps) => <div>{children}</div> }));
vi.mock("../state/withBinding");
afterEach(cleanup);

const revision = (number: number, by = "310000000000000003"): TenantRevision => ({
  revision: number,
  time: "2026-11-14T07:40:00Z",
  by,
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

const shownRevisions = () => screen.queryAllByRole("listitem").map(({ textContent }) => plainText(textContent ?? ""));

test("people whom the window knows are named: the person of the window, and those of the organization", async () => {
  const people = [
    { id: "2", name: "Salem Al-Otaibi", username: "salem" },
    { id: "3", name: "Salem Al-Otaibi", username: "salem2" },
    { id: "4", name: "", username: "huda" },
  ] as UserView[];
  vi.spyOn(commands, "permissions").mockResolvedValue({ status: "ok", data: { users: true } as Permissions });
  vi.spyOn(commands, "listUsers").mockResolvedValue({
    status: "ok",
    data: { users: people, nextPage: "", grantableRoles: [] },
  });
  const revisions = ["1", "2", "4", "9"].map((by, index) => revision(4 - index, by));
  vi.spyOn(commands, "tenantHistory").mockResolvedValue({ status: "ok", data: { revisions, nextPage: "" } });
  runWithBinding();
  renderInWorkspace(<TenantHistoryDialog id="7" name="Andalus" onClose={() => undefined} />);
  // Two have one name: the id tells them apart.
  const names = ["Noura Al-Harbi", "Salem Al-Otaibi (2)", "huda", "9"];
  await waitFor(() =>
    expect(shownRevisions()).toEqual(names.map((name) => expect.stringMatching(`by ${name.replace(/[()]/g, ".")}$`))),
  );
});

test("a change by the command line of the service says so in the language of the window", async () => {
  vi.spyOn(commands, "tenantHistory").mockResolvedValue({
    status: "ok",
    data: { revisions: [revision(1, "command line")], nextPage: "" },
  });
  runWithBinding();
  renderInWorkspace(<TenantHistoryDialog id="7" name="Andalus" onClose={() => undefined} />);
  const row = await screen.findByRole("listitem");
  expect(plainText(row.textContent ?? "")).toContain("by Command line of the server");
});
