/** Tests of the form of a tax authority: what is typed stays, and nothing is overwritten or left out without a word. */

import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { ModalProps } from "../components/Modal";
import { errors, organizations } from "../gallery/fixtures";
import { LocalizerProvider } from "../i18n/LocalizerProvider";
import type { AuthorityView, CommandError } from "../ipc/bindings";
import { CommandFailure, commands } from "../ipc/call";
import { createQueryClient } from "../state/queryClient";
import { withBinding } from "../state/withBinding";
import { type Workspace, WorkspaceContext } from "../state/workspace";
import { AuthorityDialog } from "./AuthorityDialog";

vi.mock("../components/Modal", () => ({
  Modal: ({ title, children, actions }: ModalProps) => (
    <div role="dialog" aria-label={title}>
      {children}
      {actions}
    </div>
  ),
}));
vi.mock("../components/Select", () => ({ Select: () => null }));
vi.mock("../state/withBinding");
vi.mock("./AdministrationError", () => ({
  AdministrationError: ({ error }: { error: CommandError }) => <p role="alert">{error.kind}</p>,
}));

const organization = organizations[0] ?? expect.fail("there are sample organizations");
const offline = errors.offline[0] ?? expect.fail("there is a sample of every kind");
const authority = (stamp: string, hasCredentials = false): AuthorityView => ({
  settings: { adapter: "http", endpoint: "https://tax.example", mode: "clearance", kinds: ["invoice"], enabled: true },
  hasCredentials,
  stamp,
});

/** What the service has. */
let stored: AuthorityView;

beforeEach(() => {
  // jsdom has none.
  Element.prototype.scrollIntoView = () => undefined;
  stored = authority("1");
  vi.spyOn(commands, "getAuthority").mockImplementation(async () => ({ status: "ok", data: stored }));
  vi.spyOn(commands, "saveAuthority").mockImplementation(async () => ({ status: "ok", data: stored }));
  vi.spyOn(commands, "testAuthority").mockResolvedValue({
    status: "ok",
    data: { reachable: true, httpStatus: 200, problem: "" },
  });
  vi.mocked(withBinding).mockImplementation(async (_, command) => {
    const answer = await command({ organization: organization.id, generation: 1 });
    if (answer.status === "error") throw new CommandFailure(answer.error);
    return answer.data;
  });
});
afterEach(cleanup);

function open() {
  render(
    <QueryClientProvider client={createQueryClient()}>
      <LocalizerProvider preferences={{ language: "en", theme: "light", digits: "latin" }}>
        <WorkspaceContext value={{ organization } as unknown as Workspace}>
          <AuthorityDialog id="1" name="Andalus" onClose={() => undefined} />
        </WorkspaceContext>
      </LocalizerProvider>
    </QueryClientProvider>,
  );
}

const endpoint = () => screen.findByRole<HTMLInputElement>("textbox", { name: /^Address/ });
const typeEndpoint = async () => fireEvent.change(await endpoint(), { target: { value: "https://new.example" } });
const press = (name: string) => fireEvent.click(screen.getByRole("button", { name }));

test("what is typed stays when the form can be neither saved nor read again", async () => {
  open();
  await typeEndpoint();
  vi.mocked(commands.saveAuthority).mockResolvedValue({ status: "error", error: offline });
  vi.mocked(commands.getAuthority).mockResolvedValue({ status: "error", error: offline });
  press("Save");
  await screen.findByRole("alert");
  await waitFor(() => expect(commands.getAuthority).toHaveBeenCalledTimes(2));
  expect((await endpoint()).value).toBe("https://new.example");
});

test("a change of somebody else that the form has not shown is not overwritten", async () => {
  open();
  await endpoint();
  stored = { ...authority("2"), settings: { ...authority("2").settings, mode: "reporting" } };
  press("Test the connection");
  await screen.findByText(/It answers/);
  await waitFor(() => expect(commands.getAuthority).toHaveBeenCalledTimes(2));
  await typeEndpoint();
  press("Save");
  await waitFor(() => expect(commands.saveAuthority).toHaveBeenCalled());
  expect(vi.mocked(commands.saveAuthority).mock.calls[0]?.[2]).toBe("1");
});

test("a form that could not be read is a dialog with the reason", async () => {
  vi.mocked(commands.getAuthority).mockResolvedValue({ status: "error", error: offline });
  open();
  const dialog = await screen.findByRole("dialog", { name: /Tax authority of/ });
  expect(dialog.textContent).toContain("offline");
});

test("credentials with a user name alone are not saved as if they were set", async () => {
  stored = authority("1", true);
  open();
  fireEvent.click(await screen.findByRole("radio", { name: "Set others" }));
  fireEvent.change(await screen.findByRole("textbox", { name: /^User name/ }), { target: { value: "till" } });
  press("Save");
  await screen.findByText("This is needed.");
  expect(commands.saveAuthority).not.toHaveBeenCalled();
});
