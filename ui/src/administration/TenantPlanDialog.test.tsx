/** Tests of the form of the plan of a tenant: what it says when only a part of it is saved. */

import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import type { SelectProps } from "../components/Select";
import { errors } from "../gallery/fixtures";
import { renderInWorkspace, runWithBinding } from "../gallery/renderInWorkspace";
import type { CommandError, PlanDefinition, TenantPlanView } from "../ipc/bindings";
import { commands } from "../ipc/call";
import { TenantPlanDialog } from "./TenantPlanDialog";

vi.mock("../components/Modal");
vi.mock("../components/Select", () => ({
  Select: ({ onChange, choices }: SelectProps<string>) =>
    choices.map(({ id, label }) => (
      <button type="button" key={id} onClick={() => onChange(id)}>
        {label}
      </button>
    )),
}));
vi.mock("../state/withBinding");
vi.mock("./AdministrationError", () => ({
  AdministrationError: ({ error }: { error: CommandError }) => <p role="alert">{error.kind}</p>,
}));
afterEach(cleanup);

const small: PlanDefinition = {
  id: "1",
  stamp: "1",
  fields: {
    name: "Small",
    nameAr: "",
    limits: { documents: null, requests: null, users: null },
    entitlements: { kinds: null, languages: null, authorities: null, apiAccess: null },
  },
};
const unused = { used: 0, limit: null };
const planOf = (plan: PlanDefinition | null): TenantPlanView => ({
  plan,
  ownLimits: { documents: null, requests: null, users: null },
  documents: unused,
  requests: unused,
  users: unused,
});

test("a plan that was saved before the limits were refused is told, and is not saved again with them", async () => {
  // jsdom has none.
  Element.prototype.scrollIntoView = () => undefined;
  const refused = errors.rateLimited[0] ?? expect.fail("there is a sample of every kind");
  const onClose = vi.fn();
  vi.spyOn(commands, "tenantPlan").mockResolvedValue({ status: "ok", data: planOf(null) });
  vi.spyOn(commands, "listPlans").mockResolvedValue({ status: "ok", data: [small] });
  vi.spyOn(commands, "assignPlan").mockResolvedValue({ status: "ok", data: planOf(small) });
  vi.spyOn(commands, "setTenantLimits")
    .mockResolvedValueOnce({ status: "error", error: refused })
    .mockResolvedValueOnce({ status: "error", error: refused })
    .mockResolvedValue({ status: "ok", data: null });
  runWithBinding();
  renderInWorkspace(<TenantPlanDialog id="7" name="Andalus" onClose={onClose} />);
  fireEvent.click(await screen.findByRole("button", { name: "Small" }));
  fireEvent.change(screen.getByRole("textbox", { name: "People" }), { target: { value: "7" } });
  const save = screen.getByRole("button", { name: "Save" });
  fireEvent.click(save);
  await screen.findByText(/^The plan of the tenant is changed/);
  expect(screen.queryByRole("alert")).toBeNull();
  fireEvent.click(save);
  await screen.findByRole("alert");
  expect(screen.queryByText(/^The plan of the tenant is changed/)).toBeNull();
  fireEvent.click(save);
  await waitFor(() => expect(onClose).toHaveBeenCalledTimes(1));
  expect(vi.mocked(commands.assignPlan).mock.calls.map(([, tenant, plan]) => [tenant, plan])).toEqual([["7", "1"]]);
});
