/** Tests of the tenants: how many a filter has found is announced, and a change closes no form. */

import { act, cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import type { ReactNode } from "react";
import { afterEach, expect, test, vi } from "vitest";
import { announce } from "../components/announce";
import { renderInWorkspace, runWithBinding, untilAnnounced } from "../gallery/renderInWorkspace";
import type { TenantView } from "../ipc/bindings";
import { commands } from "../ipc/call";
import { Tenants } from "./Tenants";

vi.mock("../components/announce");
vi.mock("../state/withBinding");
vi.mock("../components/Menu", () => ({
  MenuPopover: ({ children }: { children: ReactNode }) => <div>{children}</div>,
  MenuItem: ({ children, onAction }: { children: ReactNode; onAction: () => void }) => (
    <button type="button" onClick={onAction}>
      {children}
    </button>
  ),
}));
vi.mock("./TenantDialog", () => ({ TenantDialog: () => <div role="dialog" /> }));
vi.mock("../components/Select", () => ({
  Select: ({ onChange }: { onChange: (value: string) => void }) => (
    <button type="button" onClick={() => onChange("disabled")}>
      Only disabled
    </button>
  ),
}));
afterEach(cleanup);

const address = { building: "", street: "", district: "", city: "", postalCode: "" };
const registrationNumber = { scheme: "", value: "" };
const tenant = (name: string, state: TenantView["state"]): TenantView => ({
  id: name,
  state,
  fields: { name, nameAr: "", timeZone: "Asia/Riyadh", taxId: "", registrationNumber, address },
  domain: "",
  currency: "SAR",
  country: "SA",
  stamp: "1",
  disabled: null,
});

test("how many tenants are in a state that is chosen is announced", async () => {
  const tenants = [tenant("Andalus", "active"), tenant("Zahra", "disabled")];
  vi.spyOn(commands, "listTenants").mockImplementation(async (_, _text, state) => ({
    status: "ok",
    data: { tenants: tenants.filter((each) => state === null || each.state === state), nextPage: "" },
  }));
  runWithBinding();
  renderInWorkspace(<Tenants />);
  await screen.findByText("Zahra", { selector: "bdi[dir=auto]" });
  fireEvent.click(screen.getByRole("button", { name: "Only disabled" }));
  await waitFor(() => expect(vi.mocked(announce).mock.calls).toEqual([["1 result"]]), untilAnnounced);
});

test("a form that was opened while a tenant is enabled stays when it is, with what was typed in it", async () => {
  vi.spyOn(commands, "listTenants").mockResolvedValue({
    status: "ok",
    data: { tenants: [tenant("Zahra", "disabled")], nextPage: "" },
  });
  let settle: ((answer: Awaited<ReturnType<typeof commands.setTenantEnabled>>) => void) | undefined;
  vi.spyOn(commands, "setTenantEnabled").mockReturnValue(
    new Promise((resolve) => {
      settle = resolve;
    }),
  );
  runWithBinding();
  renderInWorkspace(<Tenants />);
  fireEvent.click(await screen.findByRole("button", { name: "Enable" }));
  fireEvent.click(screen.getByRole("button", { name: "Add a tenant" }));
  expect(screen.getByRole("dialog")).toBeDefined();
  await act(async () => settle?.({ status: "ok", data: tenant("Zahra", "active") }));
  expect(screen.getByRole("dialog")).toBeDefined();
});
