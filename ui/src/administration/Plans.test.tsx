/** Tests of deleting a plan that somebody else changes meanwhile or without an answer, and of the lists while they are read. */

import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { errors, support } from "../gallery/fixtures";
import { renderInWorkspace, runWithBinding } from "../gallery/renderInWorkspace";
import type { CommandError, PlanDefinition } from "../ipc/bindings";
import { commands } from "../ipc/call";
import { withBinding } from "../state/withBinding";
import { MachineUsers } from "./MachineUsers";
import { People } from "./People";
import { Plans } from "./Plans";
import { Tenants } from "./Tenants";

vi.mock("../state/withBinding");
vi.mock("./ConfirmChange");
afterEach(cleanup);

const plan = (name: string, stamp: string): PlanDefinition => ({
  id: "1",
  stamp,
  fields: {
    name,
    nameAr: "",
    limits: { documents: null, requests: null, users: null },
    entitlements: { kinds: null, languages: null, authorities: null, apiAccess: null },
  },
});

test("a plan that somebody else has changed is deleted when the question is answered again", async () => {
  const aborted = errors.aborted[1] ?? expect.fail("there is a sample of every kind");
  vi.spyOn(commands, "listPlans")
    .mockResolvedValueOnce({ status: "ok", data: [plan("Small", "1")] })
    .mockResolvedValue({ status: "ok", data: [plan("Tiny", "2")] });
  vi.spyOn(commands, "deletePlan")
    .mockResolvedValueOnce({ status: "error", error: aborted })
    .mockResolvedValue({ status: "ok", data: null });
  runWithBinding();
  renderInWorkspace(<Plans />);
  fireEvent.click(await screen.findByRole("button", { name: /^Delete .?Small/ }));
  fireEvent.click(screen.getByRole("button", { name: "Yes" }));
  await screen.findByText("aborted");
  await screen.findByText("Tiny");
  fireEvent.click(screen.getByRole("button", { name: "Yes" }));
  await waitFor(() => expect(screen.queryByRole("alertdialog")).toBeNull());
  expect(vi.mocked(commands.deletePlan).mock.calls.map(([, id, stamp]) => [id, stamp])).toEqual([
    ["1", "1"],
    ["1", "2"],
  ]);
});

test("the list is read again after a write without an answer, so that it shows whether that was done", async () => {
  const unknown: CommandError = { kind: "unknownOutcome", key: null, support: { ...support, operation: "delete_plan" } };
  vi.spyOn(commands, "listPlans")
    .mockResolvedValueOnce({ status: "ok", data: [plan("Small", "1")] })
    .mockResolvedValue({ status: "ok", data: [] });
  vi.spyOn(commands, "deletePlan").mockResolvedValue({ status: "error", error: unknown });
  runWithBinding();
  renderInWorkspace(<Plans />);
  fireEvent.click(await screen.findByRole("button", { name: /^Delete .?Small/ }));
  fireEvent.click(screen.getByRole("button", { name: "Yes" }));
  await screen.findByText("unknownOutcome");
  await waitFor(() => expect(screen.queryByText("Small")).toBeNull());
});

test.each([Plans, People, MachineUsers, Tenants])("a list says that it is being read: %o", async (List) => {
  vi.mocked(withBinding).mockReturnValue(new Promise(() => undefined));
  renderInWorkspace(<List />);
  expect((await screen.findByRole("status")).textContent).toBe("Loading…");
});
