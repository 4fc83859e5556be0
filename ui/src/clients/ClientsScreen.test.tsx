/** Tests of the list of all clients: what it announces while it reads and searches, and the file that it saves. */

import { act, cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { announce } from "../components/announce";
import { organizations as samples } from "../gallery/fixtures";
import { renderInWorkspace, untilAnnounced } from "../gallery/renderInWorkspace";
import type { Overview } from "../ipc/bindings";
import { commands } from "../ipc/call";
import { type Navigation, NavigationContext } from "../state/navigation";
import type { ClientRowProps } from "./ClientRow";
import { ClientsScreen } from "./ClientsScreen";

vi.mock("../components/announce");
vi.mock("./ClientRow", () => ({
  ClientRow: ({ client, error, onRetry }: ClientRowProps) => (
    <tr>
      <td>{client.unsent}</td>
      <td>
        {error && (
          <button type="button" onClick={onRetry}>
            {error.kind}
          </button>
        )}
      </td>
    </tr>
  ),
}));

const organizations = samples.slice(0, 2);
/** By organization, what lets it answer. */
let answers: Map<string, () => void>;

beforeEach(() => {
  vi.mocked(announce).mockClear();
  answers = new Map();
  vi.spyOn(commands, "keptClientOverviews").mockResolvedValue({ status: "ok", data: [] });
  vi.spyOn(commands, "draftCounts").mockResolvedValue({
    status: "ok",
    data: [
      { organization: organizations[0]?.id ?? "", count: 0, problem: { kind: "notSaved", problem: "other", reason: "" } },
      { organization: organizations[1]?.id ?? "", count: 3, problem: null },
    ],
  });
  vi.spyOn(commands, "clientOverview").mockImplementation(
    (organization) =>
      new Promise((resolve) => {
        const data = { organization, errors: [] } as unknown as Overview;
        answers.set(organization, () => resolve({ status: "ok", data }));
      }),
  );
  const session = { organizations, environment: { name: "Staging" }, account: { subject: "1" } };
  renderInWorkspace(
    <NavigationContext value={{ navigate: () => undefined } as unknown as Navigation}>
      <ClientsScreen />
    </NavigationContext>,
    { workspace: { session, binding: { organization: "", generation: 1 } } },
  );
});
afterEach(cleanup);

const announced = () => vi.mocked(announce).mock.calls.map(([text]) => text);
const answer = (index: number) => act(async () => answers.get(organizations[index]?.id ?? "")?.());

test("reading all clients is announced at its begin and at its end, and not with each answer", async () => {
  await waitFor(() => expect(announced()).toEqual(["0 of 2 read"]), untilAnnounced);
  await answer(0);
  await screen.findByText(/1\W* of \W*2\W* read/);
  await answer(1);
  await screen.findByText(/2\W* organizations/);
  await waitFor(() => expect(announced()).toEqual(["0 of 2 read", "2 organizations"]), untilAnnounced);
});

test("the number of clients that a search has found is announced", async () => {
  await answer(0);
  await answer(1);
  fireEvent.change(screen.getByRole("searchbox"), { target: { value: "client-2" } });
  await waitFor(() => expect(announced()).toContain("1 result"), untilAnnounced);
  fireEvent.change(screen.getByRole("searchbox"), { target: { value: "nobody" } });
  await waitFor(() => expect(announced()).toContain("No organization of yours has this name."), untilAnnounced);
});

test("the clients that are shown are saved as a table, and none can be where a search has found none", async () => {
  const save = vi.spyOn(commands, "saveTable").mockResolvedValue({ status: "ok", data: true });
  fireEvent.change(screen.getByRole("searchbox"), { target: { value: "client-2" } });
  await screen.findByText("3");
  fireEvent.click(screen.getByRole("button", { name: "Save as CSV" }));
  await waitFor(() => expect(save).toHaveBeenCalledOnce());
  const [name, rows] = save.mock.calls[0] ?? expect.fail("it was called");
  expect(name).toBe("All clients");
  expect(rows.map(([client]) => client)).toEqual(["Client", organizations[1]?.name]);
  expect(rows.map((cells) => cells[5])).toEqual(["Unsent drafts on this computer", "3"]);
  fireEvent.change(screen.getByRole("searchbox"), { target: { value: "nobody" } });
  expect(screen.queryByRole("button", { name: /CSV/ })).toBeNull();
});

test("drafts that could not be made are told in the row of their client, and trying again there counts again", async () => {
  const retry = await screen.findByRole("button", { name: "notSaved" });
  const counted = vi.mocked(commands.draftCounts);
  counted.mockClear();
  fireEvent.click(retry);
  await waitFor(() => expect(counted).toHaveBeenCalledOnce());
});
