/** Tests of the form of a tenant that somebody else changes while it is open. */

import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { errors } from "../gallery/fixtures";
import { renderInWorkspace, runWithBinding } from "../gallery/renderInWorkspace";
import { plainText } from "../i18n/localizer";
import type { TenantFields, TenantView } from "../ipc/bindings";
import { commands } from "../ipc/call";
import { TenantDialog } from "./TenantDialog";

vi.mock("../components/Modal");
vi.mock("../components/Select", () => ({ Select: () => null }));
vi.mock("../state/withBinding");
vi.mock("./AdministrationError", () => ({ AdministrationError: () => null }));
afterEach(cleanup);

const aborted = errors.aborted[1] ?? expect.fail("there is a sample of every kind");
const address = { building: "", street: "Palm Road", district: "", city: "Jeddah", postalCode: "" };
const registrationNumber = { scheme: "CRN", value: "4030175397" };
const fields: TenantFields = {
  name: "Andalus",
  nameAr: "",
  timeZone: "Asia/Riyadh",
  taxId: "310175397400003",
  registrationNumber,
  address,
};
const tenant = (id: string, stamp: string, changed: Partial<TenantFields> = {}): TenantView => ({
  id,
  fields: { ...fields, ...changed },
  domain: "andalus.example",
  currency: "SAR",
  country: "SA",
  state: "active",
  stamp,
  disabled: null,
});

const nothing = () => undefined;
const field = (name: RegExp) => screen.getByRole<HTMLInputElement>("textbox", { name });

test("a field that somebody else has changed has the new value, and a field that was typed keeps what was typed", async () => {
  // jsdom has none.
  Element.prototype.scrollIntoView = () => undefined;
  const theirs = tenant("7", "2", { name: "Andalus Group", address: { ...address, city: "Abha" } });
  // The search by the id finds a longer id too.
  vi.spyOn(commands, "listTenants").mockResolvedValue({
    status: "ok",
    data: { tenants: [tenant("77", "9"), theirs], nextPage: "" },
  });
  vi.spyOn(commands, "updateTenant")
    .mockResolvedValueOnce({ status: "error", error: aborted })
    .mockResolvedValue({ status: "ok", data: theirs });
  runWithBinding();
  renderInWorkspace(<TenantDialog tenant={tenant("7", "1")} onCreated={nothing} onClose={nothing} />);
  fireEvent.change(field(/^City/), { target: { value: "Taif" } });
  fireEvent.click(screen.getByRole("button", { name: "Save" }));
  await screen.findByText(/somebody else has changed this/);
  const text = plainText(document.body.textContent ?? "");
  expect(text).toContain("Andalus → Andalus Group");
  expect(text).toContain("Jeddah → Abha");
  expect(text).toContain("You typed: Taif");
  expect([field(/^Name in English/).value, field(/^City/).value]).toEqual(["Andalus Group", "Taif"]);
  fireEvent.click(screen.getByRole("button", { name: "Save" }));
  await waitFor(() => expect(commands.updateTenant).toHaveBeenCalledTimes(2));
  const saved = { ...theirs.fields, address: { ...address, city: "Taif" } };
  expect(vi.mocked(commands.updateTenant).mock.calls[1]?.slice(1)).toEqual([theirs, saved]);
});
