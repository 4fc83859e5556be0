/** Tests of what an event of the audit calls plans and machine users, of which the service gives the ids. */

import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { renderInWorkspace, runWithBinding } from "../gallery/renderInWorkspace";
import { plainText } from "../i18n/localizer";
import type { AuditEventView, MachineUserView, Permissions, PlanDefinition } from "../ipc/bindings";
import { commands } from "../ipc/call";
import { AuditEventRow } from "./AuditEventRow";

vi.mock("../state/withBinding");
afterEach(cleanup);

const event: AuditEventView = {
  id: "e",
  time: "2026-11-14T07:40:00Z",
  kind: "plan_assigned",
  subject: null,
  actor: null,
  organization: "",
  organizationName: "",
  organizationNameAr: "",
  application: "",
  applicationName: "",
  address: "",
  correlationId: "",
  details: [
    { name: "plan_before", value: "8" },
    { name: "plan", value: "7" },
    { name: "user", value: "9" },
  ],
};

/** Opens the event as a person with these permissions, and tells its values in words. */
async function openedBy(permissions: Partial<Permissions>): Promise<() => string[]> {
  vi.spyOn(commands, "permissions").mockResolvedValue({ status: "ok", data: permissions as Permissions });
  const plan = { id: "7", fields: { name: "Large", nameAr: "الكبيرة" } } as PlanDefinition;
  vi.spyOn(commands, "listPlans").mockResolvedValue({ status: "ok", data: [plan] });
  const till = { id: "9", name: "Till" } as MachineUserView;
  vi.spyOn(commands, "listMachineUsers").mockResolvedValue({ status: "ok", data: [till] });
  runWithBinding();
  renderInWorkspace(
    <table>
      <tbody>
        <AuditEventRow event={event} withOrganization={false} onPerson={() => undefined} />
      </tbody>
    </table>,
  );
  expect(commands.listPlans).not.toHaveBeenCalled();
  fireEvent.click(screen.getByRole("button", { expanded: false }));
  await waitFor(() => expect(commands.permissions).toHaveBeenCalledTimes(1));
  return () => screen.getAllByRole("definition").map(({ textContent }) => plainText(textContent ?? ""));
}

test("plans and machine users that can be listed are named beside their ids, and one that is gone has its id", async () => {
  const values = await openedBy({ plans: true, machineUsers: true });
  await waitFor(() => expect(values()).toEqual(["8 → Large (7)", "Till (9)"]));
});

test("who may not list them asks for no lists, and sees the ids", async () => {
  const values = await openedBy({ plans: false, machineUsers: false });
  expect(values()).toEqual(["8 → 7", "9"]);
  expect(commands.listPlans).not.toHaveBeenCalled();
  expect(commands.listMachineUsers).not.toHaveBeenCalled();
});
