/** Tests of the ways to a section of the administration and out of it, and of the focus of its screen. */

import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { renderInWorkspace } from "../gallery/renderInWorkspace";
import type { Permissions } from "../ipc/bindings";
import { usePermissions, useReadsDocuments } from "../queries/permissionsQuery";
import { type Navigation, NavigationContext } from "../state/navigation";
import { AdministrationScreen } from "./AdministrationScreen";

vi.mock("../queries/permissionsQuery");
vi.mock("./Audit", () => ({ OrganizationAudit: () => null, PlatformAudit: () => null }));
vi.mock("./MachineUsers", () => ({ MachineUsers: () => null }));
vi.mock("./OwnTenant", () => ({ OwnTenant: () => "the company details" }));
vi.mock("./People", () => ({ People: () => null }));
vi.mock("./Plan", () => ({ Plan: () => null }));
vi.mock("./Plans", () => ({ Plans: () => null }));
vi.mock("./Rules", () => ({ Rules: () => null }));
vi.mock("./Tenants", () => ({ Tenants: () => null }));
afterEach(cleanup);

test.each([
  ["an administrator returns to the documents", true, [[{ name: "invoices" }]]],
  ["an operator, who has none, stays in the section", false, []],
] as const)("with Escape %s", (_, hasDocuments, views) => {
  vi.mocked(usePermissions).mockReturnValue({ tenants: true, plans: true } as Permissions);
  vi.mocked(useReadsDocuments).mockReturnValue(hasDocuments);
  const navigate = vi.fn();
  renderInWorkspace(
    <NavigationContext value={{ navigate, view: { name: "administration" } } as unknown as Navigation}>
      <AdministrationScreen />
    </NavigationContext>,
  );
  fireEvent.keyDown(screen.getByRole("heading", { level: 1 }), { key: "Escape" });
  expect(navigate.mock.calls).toEqual(views);
});

test("a window that begins with the administration has the focus on the name of its section", async () => {
  vi.mocked(usePermissions).mockReturnValue({ tenants: true, plans: true } as Permissions);
  renderInWorkspace(
    <NavigationContext value={{ view: { name: "administration" } } as unknown as Navigation}>
      <AdministrationScreen />
    </NavigationContext>,
  );
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("button", { name: "Tenants" })));
});

test("the section that an error leads to is shown instead of the first one, with the focus on its name", async () => {
  vi.mocked(usePermissions).mockReturnValue({ users: true, ownTenant: true } as Permissions);
  const view = { name: "administration", section: "ownTenant" };
  renderInWorkspace(
    <NavigationContext value={{ view } as unknown as Navigation}>
      <AdministrationScreen />
    </NavigationContext>,
  );
  expect(screen.getByText("the company details")).toBeTruthy();
  const name = screen.getByRole("button", { name: "Company details" });
  expect(name.getAttribute("aria-current")).toBe("true");
  await waitFor(() => expect(document.activeElement).toBe(name));
});
