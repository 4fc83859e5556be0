/** Tests of the button that removes an account from this computer. */

import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import type { ModalProps } from "../components/Modal";
import { LocalizerProvider } from "../i18n/LocalizerProvider";
import type { AccountView } from "../ipc/bindings";
import { commands } from "../ipc/call";
import { RemoveAccount } from "./RemoveAccount";

vi.mock("../components/Modal", () => ({ Modal: ({ actions }: ModalProps) => actions }));
afterEach(cleanup);

const account: AccountView = {
  id: "a",
  environment: "local",
  name: "Noura",
  username: "noura@alkhair.example",
  lastUsed: "2026-11-25T09:00:00Z",
  active: false,
  remembered: true,
};

test("an account is removed once, however often the button is pressed while that takes its time", async () => {
  const removals: (() => void)[] = [];
  vi.spyOn(commands, "accountData").mockResolvedValue({ status: "ok", data: { drafts: 0, templates: 0, waitingFiles: 0 } });
  const purge = vi.spyOn(commands, "purgeAccount").mockImplementation(
    () =>
      new Promise((resolve) => {
        removals.push(() => resolve({ status: "ok", data: true }));
      }),
  );
  const onRemoved = vi.fn();
  render(
    <LocalizerProvider preferences={{ language: "en", theme: "light", digits: "latin" }}>
      <RemoveAccount account={account} onRemoved={onRemoved} />
    </LocalizerProvider>,
  );
  fireEvent.click(screen.getByRole("button"));
  const confirm = await screen.findByRole<HTMLButtonElement>("button", { name: "Remove the account" });
  fireEvent.click(confirm);
  fireEvent.click(confirm);
  expect(purge).toHaveBeenCalledOnce();
  expect([confirm.disabled, confirm.getAttribute("aria-disabled")], "it keeps the focus").toEqual([false, "true"]);
  await act(async () => removals.shift()?.());
  expect(onRemoved).toHaveBeenCalledOnce();
});
