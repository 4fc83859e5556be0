/** Tests of the people: how many a search has found is announced, roles to invite with are shown, and an id can be handed on. */

import { act, cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import type { ReactNode } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { announce } from "../components/announce";
import { copyText } from "../components/clipboard";
import type { ModalProps } from "../components/Modal";
import type { SelectProps } from "../components/Select";
import { renderInWorkspace, runWithBinding, untilAnnounced } from "../gallery/renderInWorkspace";
import type { UserView } from "../ipc/bindings";
import { commands } from "../ipc/call";
import { People } from "./People";

vi.mock("../components/announce");
vi.mock("../components/clipboard");
vi.mock("../components/Menu", () => ({
  MenuPopover: ({ children }: { children: ReactNode }) => <div>{children}</div>,
  MenuSection: ({ children }: { children: ReactNode }) => <div>{children}</div>,
  MenuItem: ({ children, onAction }: { children: ReactNode; onAction: () => void }) => (
    <button type="button" onClick={onAction}>
      {children}
    </button>
  ),
}));
vi.mock("../components/Modal", () => ({ Modal: ({ children }: ModalProps) => <div role="dialog">{children}</div> }));
vi.mock("../components/Select", () => ({
  Select: ({ value, choices }: SelectProps<string>) => (
    <ul>
      {choices.map(({ id, label }) => (
        <li key={id}>{id === value ? `${label}, chosen` : label}</li>
      ))}
    </ul>
  ),
}));
vi.mock("../state/withBinding");

beforeEach(() => {
  vi.mocked(announce).mockClear();
  runWithBinding();
});
afterEach(cleanup);

const open = () => renderInWorkspace(<People />, { workspace: { session: { account: { subject: "1" } } } });

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
  open();
  await screen.findByText("Khalid", { selector: "bdi[dir=auto]" });
  const search = screen.getByRole("textbox");
  fireEvent.change(search, { target: { value: "Kh" } });
  await waitFor(() => expect(vi.mocked(announce).mock.calls).toEqual([["1 result"]]), untilAnnounced);
  fireEvent.change(search, { target: { value: "Khx" } });
  await waitFor(() => expect(announce).toHaveBeenLastCalledWith("Nobody here has this name."), untilAnnounced);
});

test("nobody is invited before the roles are known, and then each of them can be chosen", async () => {
  let answer: (() => void) | undefined;
  vi.spyOn(commands, "listUsers").mockReturnValue(
    new Promise((resolve) => {
      const grantableRoles = ["administrator", "clerk", "viewer"];
      answer = () => resolve({ status: "ok", data: { users: [], nextPage: "", grantableRoles } });
    }),
  );
  open();
  const invite = screen.getByRole<HTMLButtonElement>("button", { name: "Invite" });
  expect(invite.disabled).toBe(true);
  await act(async () => answer?.());
  await waitFor(() => expect(invite.disabled).toBe(false));
  fireEvent.click(invite);
  const dialog = screen.getByRole("dialog");
  const roles = [...dialog.querySelectorAll("li")].map(({ textContent }) => textContent);
  expect(roles).toEqual(["Viewer", "Clerk, chosen", "Administrator"]);
});

test("the id of a person is copied for an operator, who sees no people of tenants", async () => {
  vi.mocked(copyText).mockResolvedValue(true);
  vi.spyOn(commands, "listUsers").mockResolvedValue({
    status: "ok",
    data: { users: [{ ...user("Salem"), id: "310000000000000002" }], nextPage: "", grantableRoles: [] },
  });
  open();
  fireEvent.click(await screen.findByRole("button", { name: "Copy the id" }));
  expect(copyText).toHaveBeenCalledWith("310000000000000002");
  await waitFor(() => expect(announce).toHaveBeenCalledWith("Copied"));
});
