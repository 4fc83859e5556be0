/** Tests of what is announced of the people: how many a search has found. */

import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { announce } from "../components/announce";
import { organizations } from "../gallery/fixtures";
import { LocalizerProvider } from "../i18n/LocalizerProvider";
import type { UserView } from "../ipc/bindings";
import { commands } from "../ipc/call";
import { createQueryClient } from "../state/queryClient";
import { withBinding } from "../state/withBinding";
import { type Workspace, WorkspaceContext } from "../state/workspace";
import { People } from "./People";

vi.mock("../components/announce");
vi.mock("../state/withBinding");
afterEach(cleanup);

const organization = organizations[0] ?? expect.fail("there are sample organizations");
const user = (name: string): UserView => ({
  id: name,
  username: name,
  email: "",
  name,
  state: "active",
  roles: [],
  codeExpires: null,
  fromAnotherOrganization: false,
});

test("how many people a search has found is announced", async () => {
  const people = ["Hessa", "Khalid", "Salem"].map(user);
  vi.spyOn(commands, "listUsers").mockImplementation(async (_, text) => ({
    status: "ok",
    data: { users: people.filter(({ name }) => name.includes(text)), nextPage: "", grantableRoles: [] },
  }));
  vi.mocked(withBinding).mockImplementation(async (_, command) => {
    const answer = await command({ organization: organization.id, generation: 1 });
    if (answer.status === "error") throw new Error("refused");
    return answer.data;
  });
  const workspace = { organization, session: { account: { subject: "1" } } } as unknown as Workspace;
  render(
    <QueryClientProvider client={createQueryClient()}>
      <LocalizerProvider preferences={{ language: "en", theme: "light", digits: "latin" }}>
        <WorkspaceContext value={workspace}>
          <People />
        </WorkspaceContext>
      </LocalizerProvider>
    </QueryClientProvider>,
  );
  await screen.findByText("Khalid", { selector: "bdi[dir=auto]" });
  const search = screen.getByRole("textbox");
  fireEvent.change(search, { target: { value: "Kh" } });
  await waitFor(() => expect(vi.mocked(announce).mock.calls).toEqual([["1 result"]]));
  fireEvent.change(search, { target: { value: "Khx" } });
  await waitFor(() => expect(announce).toHaveBeenLastCalledWith("Nobody here has this name."));
});
