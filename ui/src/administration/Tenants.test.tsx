/** Tests of what is announced of the tenants: how many a filter has found. */

import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { announce } from "../components/announce";
import { organizations } from "../gallery/fixtures";
import { LocalizerProvider } from "../i18n/LocalizerProvider";
import type { TenantView } from "../ipc/bindings";
import { commands } from "../ipc/call";
import { createQueryClient } from "../state/queryClient";
import { withBinding } from "../state/withBinding";
import { type Workspace, WorkspaceContext } from "../state/workspace";
import { Tenants } from "./Tenants";

vi.mock("../components/announce");
vi.mock("../state/withBinding");
vi.mock("../components/Select", () => ({
  Select: ({ onChange }: { onChange: (value: string) => void }) => (
    <button type="button" onClick={() => onChange("disabled")}>
      Only disabled
    </button>
  ),
}));
afterEach(cleanup);

const organization = organizations[0] ?? expect.fail("there are sample organizations");
const address = { building: "", street: "", district: "", city: "", postalCode: "" };
const tenant = (name: string, state: TenantView["state"]): TenantView => ({
  id: name,
  state,
  fields: { name, nameAr: "", timeZone: "Asia/Riyadh", taxId: "", address },
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
  vi.mocked(withBinding).mockImplementation(async (_, command) => {
    const answer = await command({ organization: organization.id, generation: 1 });
    if (answer.status === "error") throw new Error("refused");
    return answer.data;
  });
  render(
    <QueryClientProvider client={createQueryClient()}>
      <LocalizerProvider preferences={{ language: "en", theme: "light", digits: "latin" }}>
        <WorkspaceContext value={{ organization } as unknown as Workspace}>
          <Tenants />
        </WorkspaceContext>
      </LocalizerProvider>
    </QueryClientProvider>,
  );
  await screen.findByText("Zahra", { selector: "bdi[dir=auto]" });
  fireEvent.click(screen.getByRole("button", { name: "Only disabled" }));
  await waitFor(() => expect(vi.mocked(announce).mock.calls).toEqual([["1 result"]]));
});
