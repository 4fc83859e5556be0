/** Tests of the button that removes an account from this computer. */

import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { errors } from "../gallery/fixtures";
import { LocalizerProvider } from "../i18n/LocalizerProvider";
import type { AccountView } from "../ipc/bindings";
import { commands } from "../ipc/call";
import { RemoveAccount } from "./RemoveAccount";

vi.mock("../components/Modal");
vi.mock("../errors/ErrorNotice");
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
const nothing = { drafts: 0, templates: 0, waitingFiles: 0 };

/** Opens the question. */
function open(onRemoved: () => void = () => undefined) {
  render(
    <LocalizerProvider preferences={{ language: "en", theme: "light", digits: "latin" }}>
      <RemoveAccount account={account} onRemoved={onRemoved} />
    </LocalizerProvider>,
  );
  fireEvent.click(screen.getByRole("button"));
}

test("an account is removed once, however often the button is pressed while that takes its time", async () => {
  const removals: (() => void)[] = [];
  vi.spyOn(commands, "accountData").mockResolvedValue({ status: "ok", data: nothing });
  const purge = vi.spyOn(commands, "purgeAccount").mockImplementation(
    () =>
      new Promise((resolve) => {
        removals.push(() => resolve({ status: "ok", data: true }));
      }),
  );
  const onRemoved = vi.fn();
  open(onRemoved);
  const confirm = await screen.findByRole<HTMLButtonElement>("button", { name: "Remove the account" });
  fireEvent.click(confirm);
  fireEvent.click(confirm);
  expect(purge).toHaveBeenCalledOnce();
  expect([confirm.disabled, confirm.getAttribute("aria-disabled")], "it keeps the focus").toEqual([false, "true"]);
  await act(async () => removals.shift()?.());
  expect(onRemoved).toHaveBeenCalledOnce();
});

test("what has come to an account meanwhile is counted again, and a removal that fails says why and leaves the question", async () => {
  const [offline = expect.fail("there is a sample")] = errors.offline;
  vi.spyOn(commands, "accountData")
    .mockResolvedValueOnce({ status: "ok", data: nothing })
    .mockResolvedValue({ status: "ok", data: { ...nothing, drafts: 2 } });
  vi.spyOn(commands, "purgeAccount")
    .mockResolvedValueOnce({ status: "ok", data: false })
    .mockResolvedValue({ status: "error", error: offline });
  open();
  fireEvent.click(await screen.findByRole("button", { name: "Remove the account" }));
  await screen.findByText(/drafts that were not sent/);
  expect(screen.getByRole("status").textContent).toContain("Nothing was deleted");
  fireEvent.click(screen.getByRole("button", { name: "Delete this and remove the account" }));
  expect((await screen.findByRole("alert")).textContent).toContain("offline");
  expect(vi.mocked(commands.purgeAccount).mock.lastCall).toEqual(["a", { ...nothing, drafts: 2 }]);
  expect(screen.getByText(/drafts that were not sent/)).toBeTruthy();
});
