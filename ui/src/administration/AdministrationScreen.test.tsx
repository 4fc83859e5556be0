/** Tests of leaving the administration by the key. */

import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { renderInWorkspace } from "../gallery/renderInWorkspace";
import type { Permissions } from "../ipc/bindings";
import { usePermissions, useReadsDocuments } from "../queries/permissionsQuery";
import { type Navigation, NavigationContext } from "../state/navigation";
import { AdministrationScreen } from "./AdministrationScreen";

vi.mock("../queries/permissionsQuery");
vi.mock("./Audit", () => ({ OrganizationAudit: () => null, PlatformAudit: () => null }));
vi.mock("./MachineUsers", () => ({ MachineUsers: () => null }));
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
    <NavigationContext value={{ navigate } as unknown as Navigation}>
      <AdministrationScreen />
    </NavigationContext>,
  );
  fireEvent.keyDown(screen.getByRole("heading", { level: 1 }), { key: "Escape" });
  expect(navigate.mock.calls).toEqual(views);
});
