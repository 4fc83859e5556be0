/** Tests of the form of a plan: names are typed as any text, a wrong limit is found, and a change of somebody else is merged. */

import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { errors } from "../gallery/fixtures";
import { renderInWorkspace, runWithBinding } from "../gallery/renderInWorkspace";
import { plainText } from "../i18n/localizer";
import type { PlanDefinition } from "../ipc/bindings";
import { commands } from "../ipc/call";
import { PlanDialog } from "./PlanDialog";

vi.mock("../components/Modal");
vi.mock("../state/withBinding");
vi.mock("./AdministrationError", () => ({ AdministrationError: () => null }));

const plan: PlanDefinition = {
  id: "1",
  stamp: "1",
  fields: {
    name: "Small offices",
    nameAr: "",
    limits: { documents: 100, requests: null, users: null },
    entitlements: { kinds: null, languages: null, authorities: ["zatca", "http"], apiAccess: null },
  },
};

beforeEach(() => {
  vi.spyOn(commands, "updatePlan").mockResolvedValue({ status: "ok", data: plan });
  runWithBinding();
  renderInWorkspace(<PlanDialog plan={plan} onClose={() => undefined} />);
});
afterEach(cleanup);

const field = (name: string) => screen.getByRole<HTMLInputElement>("textbox", { name });
const type = (name: string, value: string) => fireEvent.change(field(name), { target: { value } });
const save = () => fireEvent.click(screen.getByRole("button", { name: "Save" }));

test("names of tax authorities are edited as they are typed, and saved without what separates them", async () => {
  expect(field("Tax authorities").value).toBe("zatca, http");
  // A key that deletes the last name, then those that delete the comma.
  for (const text of ["zatca, ", "zatca,", "zatca", "zatca، peppol،"]) {
    type("Tax authorities", text);
    expect(field("Tax authorities").value).toBe(text);
  }
  save();
  await waitFor(() => expect(commands.updatePlan).toHaveBeenCalled());
  expect(vi.mocked(commands.updatePlan).mock.calls[0]?.[2].entitlements.authorities).toEqual(["zatca", "peppol"]);
});

test("saving with a wrong limit leads to it", () => {
  type("Documents a month", "-1");
  save();
  expect(document.activeElement).toBe(field("Documents a month"));
  expect(commands.updatePlan).not.toHaveBeenCalled();
});

test("what somebody else has changed of the plan is in the form, and saved with what was typed", async () => {
  // jsdom has none.
  Element.prototype.scrollIntoView = () => undefined;
  const theirs: PlanDefinition = {
    ...plan,
    stamp: "2",
    fields: {
      ...plan.fields,
      limits: { documents: 500, requests: null, users: null },
      entitlements: { kinds: ["invoice"], languages: null, authorities: ["zatca"], apiAccess: false },
    },
  };
  const aborted = errors.aborted[1] ?? expect.fail("there is a sample of every kind");
  vi.spyOn(commands, "listPlans").mockResolvedValue({ status: "ok", data: [theirs] });
  vi.mocked(commands.updatePlan).mockResolvedValueOnce({ status: "error", error: aborted });
  type("People", "7");
  type("Documents a month", "200");
  save();
  await screen.findByText(/somebody else has changed this/);
  const text = plainText(document.body.textContent ?? "");
  expect(text).toContain("100 → 500");
  expect(text).toContain("You typed: 200");
  expect(text).toContain("all → Invoice");
  expect(text).toContain("zatca, http → zatca");
  expect(text).toContain("yes → no");
  save();
  await waitFor(() => expect(commands.updatePlan).toHaveBeenCalledTimes(2));
  const limits = { documents: 200, requests: null, users: 7 };
  expect(vi.mocked(commands.updatePlan).mock.calls[1]?.slice(1)).toEqual([theirs, { ...theirs.fields, limits }]);
});
