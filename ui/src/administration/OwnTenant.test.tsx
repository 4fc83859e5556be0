/** Tests of the details of the own organization: what is missing or wrong, what is refused, and what somebody else changes meanwhile. */

import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { errors, support } from "../gallery/fixtures";
import { renderInWorkspace, runWithBinding } from "../gallery/renderInWorkspace";
import { plainText } from "../i18n/localizer";
import type { CommandError, OwnTenantFields, TenantView } from "../ipc/bindings";
import { commands } from "../ipc/call";
import { OwnTenant } from "./OwnTenant";

vi.mock("../components/Modal");
vi.mock("../components/Select", () => ({
  Select: ({ onChange }: { onChange: (value: string) => void }) => (
    <button type="button" onClick={() => onChange("700")}>
      Unified number
    </button>
  ),
}));
vi.mock("../state/withBinding");
vi.mock("./AdministrationError", () => ({ AdministrationError: () => null }));
afterEach(cleanup);
beforeEach(() => {
  // jsdom has none.
  Element.prototype.scrollIntoView = () => undefined;
  runWithBinding();
});

const aborted = errors.aborted[1] ?? expect.fail("there is a sample of every kind");
const address = { building: "7421", street: "Palm Road", district: "Al Olaya", city: "Jeddah", postalCode: "12213" };
const tenant = (changed: Partial<OwnTenantFields> = {}, stamp = "1", country = "SA"): TenantView => ({
  id: "7",
  fields: {
    name: "Andalus",
    nameAr: "الأندلس",
    timeZone: "Asia/Riyadh",
    taxId: "310175397400003",
    registrationNumber: { scheme: "CRN", value: "4030175397" },
    address,
    ...changed,
  },
  domain: "andalus.example",
  currency: "SAR",
  country,
  state: "active",
  stamp,
  disabled: null,
});
const ok = (data: TenantView) => ({ status: "ok", data }) as const;
const NO_NUMBER = { scheme: "", value: "" };
const sent = (scheme: string) => ({ address, registrationNumber: { scheme, value: "7001753970" } });

const field = (name: RegExp) => screen.getByRole<HTMLInputElement>("textbox", { name });
const fill = (name: RegExp, value: string) => fireEvent.change(field(name), { target: { value } });
const save = () => fireEvent.click(screen.getByRole("button", { name: "Save" }));

/** Shows the details of a tenant with its form. */
async function open(shown: TenantView) {
  vi.spyOn(commands, "getOwnTenant").mockResolvedValue(ok(shown));
  renderInWorkspace(<OwnTenant />);
  fireEvent.click(await screen.findByRole("button", { name: "Change the details…" }));
}

test("a Saudi organization is told what it needs to issue anything, and another one is not", async () => {
  vi.spyOn(commands, "getOwnTenant").mockResolvedValue(ok(tenant({ registrationNumber: NO_NUMBER })));
  renderInWorkspace(<OwnTenant />);
  await screen.findByText(/Nothing can be issued yet/);
  expect(screen.getByText("Registration number")).toBeTruthy();
  cleanup();
  vi.spyOn(commands, "getOwnTenant").mockResolvedValue(ok(tenant({ registrationNumber: NO_NUMBER }, "1", "AE")));
  renderInWorkspace(<OwnTenant />);
  await screen.findByText("Palm Road");
  expect(screen.queryByText(/Nothing can be issued yet/)).toBeNull();
  expect(screen.queryByText("Registration number")).toBeNull();
});

test("a number that is refused says so at its field, and can be saved after its kind alone was changed", async () => {
  const violation = { field: null, path: "tenant.registrationNumber.value", rule: "BR-KSA-F-08", description: "" };
  const refused: CommandError = { kind: "invalidArgument", violations: [violation], support };
  const shown = tenant({ registrationNumber: NO_NUMBER });
  const update = vi
    .spyOn(commands, "updateOwnTenant")
    .mockResolvedValueOnce({ status: "error", error: refused })
    .mockResolvedValue(ok(tenant()));
  await open(shown);
  fill(/^Registration number/, " 7001753970 ");
  save();
  await screen.findByText(/a commercial registration has 10 digits/);
  expect(field(/^Registration number/).getAttribute("aria-invalid")).toBe("true");
  fireEvent.click(screen.getByRole("button", { name: "Unified number" }));
  save();
  await waitFor(() => expect(update).toHaveBeenCalledTimes(2));
  expect(update.mock.calls.map(([, ...rest]) => rest)).toEqual([
    [shown, sent("CRN")],
    [shown, sent("700")],
  ]);
  await waitFor(() => expect(screen.queryByRole("button", { name: "Save" })).toBeNull());
});

test("what is wrong with a field goes while it is corrected, so that the button to save does not move under the pointer", async () => {
  const violation = { field: null, path: "tenant.address.building", rule: "BR-KSA-37", description: "" };
  const refused: CommandError = { kind: "invalidArgument", violations: [violation], support };
  vi.spyOn(commands, "updateOwnTenant").mockResolvedValueOnce({ status: "error", error: refused });
  await open(tenant());
  fill(/^Building/, "742");
  save();
  await waitFor(() => expect(field(/^Building/).getAttribute("aria-invalid")).toBe("true"));
  fill(/^City/, "Taif");
  expect(field(/^Building/).getAttribute("aria-invalid"), "it is not corrected").toBe("true");
  fill(/^Building/, "7422");
  expect(field(/^Building/).getAttribute("aria-invalid")).toBeNull();
});

/** What the fields hold that are marked as wrong. */
function wrong(): string[] {
  const fieldsOfForm = screen.getAllByRole<HTMLInputElement>("textbox");
  return fieldsOfForm.filter((each) => each.getAttribute("aria-invalid") === "true").map((each) => each.value);
}

test("what is wrong with a stored value stands on the page and at its field, until the value is another one", async () => {
  const registrationNumber = { scheme: "CRN", value: "40" };
  await open(tenant({ address: { ...address, building: "1", postalCode: "1221" }, registrationNumber }));
  expect(wrong()).toEqual(["40", "1", "1221"]);
  expect(screen.getAllByText(/Building: 4 digits, as in the national address/), "and on the page").toHaveLength(2);
  fill(/^Building/, "7");
  expect(wrong(), "it is being corrected").toEqual(["40", "1221"]);
  fill(/^Building/, "1");
  expect(wrong()).toEqual(["40", "1", "1221"]);
  fireEvent.click(screen.getByRole("button", { name: "Unified number" }));
  expect(wrong(), "the number has another kind now").toEqual(["1", "1221"]);
  vi.spyOn(commands, "updateOwnTenant").mockResolvedValue(ok(tenant()));
  save();
  await waitFor(() => expect(screen.queryByRole("button", { name: "Save" }), "it keeps nobody from saving").toBeNull());
});

test("nothing is wrong with a short building number where no country prescribes its form", async () => {
  await open(tenant({ address: { ...address, building: "1" }, registrationNumber: NO_NUMBER }, "1", "AE"));
  expect(field(/^Building/).getAttribute("aria-invalid")).toBeNull();
});

test("what somebody else has changed is shown and kept, and what was typed stays", async () => {
  const theirs = tenant({ address: { ...address, building: "8000", city: "Abha" } }, "2");
  const update = vi
    .spyOn(commands, "updateOwnTenant")
    .mockResolvedValueOnce({ status: "error", error: aborted })
    .mockResolvedValue(ok(theirs));
  await open(tenant());
  vi.mocked(commands.getOwnTenant).mockResolvedValue(ok(theirs));
  fill(/^City/, "Taif");
  save();
  await screen.findByText(/somebody else has changed this/);
  const text = plainText(document.body.textContent ?? "");
  expect(text).toContain("7421 → 8000");
  expect(text).toContain("You typed: Taif");
  expect([field(/^Building/).value, field(/^City/).value]).toEqual(["8000", "Taif"]);
  save();
  await waitFor(() => expect(update).toHaveBeenCalledTimes(2));
  const { registrationNumber, address: saved } = theirs.fields;
  expect(update.mock.calls[1]?.slice(1)).toEqual([theirs, { registrationNumber, address: { ...saved, city: "Taif" } }]);
});
