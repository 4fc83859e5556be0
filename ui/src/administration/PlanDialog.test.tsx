/** Tests of the form of a plan: names are typed as any text, and a wrong limit is found. */

import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { ModalProps } from "../components/Modal";
import { organizations } from "../gallery/fixtures";
import { LocalizerProvider } from "../i18n/LocalizerProvider";
import type { PlanDefinition } from "../ipc/bindings";
import { commands } from "../ipc/call";
import { createQueryClient } from "../state/queryClient";
import { withBinding } from "../state/withBinding";
import { type Workspace, WorkspaceContext } from "../state/workspace";
import { PlanDialog } from "./PlanDialog";

vi.mock("../components/Modal", () => ({
  Modal: ({ children, actions }: ModalProps) => (
    <div>
      {children}
      {actions}
    </div>
  ),
}));
vi.mock("../state/withBinding");
vi.mock("./AdministrationError", () => ({ AdministrationError: () => null }));

const organization = organizations[0] ?? expect.fail("there are sample organizations");
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
  vi.mocked(withBinding).mockImplementation(async (_, command) => {
    const answer = await command({ organization: organization.id, generation: 1 });
    if (answer.status === "error") throw new Error("refused");
    return answer.data;
  });
  render(
    <QueryClientProvider client={createQueryClient()}>
      <LocalizerProvider preferences={{ language: "en", theme: "light", digits: "latin" }}>
        <WorkspaceContext value={{ organization } as unknown as Workspace}>
          <PlanDialog plan={plan} onClose={() => undefined} />
        </WorkspaceContext>
      </LocalizerProvider>
    </QueryClientProvider>,
  );
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
