/** Tests of the buttons that switch to another account of this computer. */

import { QueryClientProvider } from "@tanstack/react-query";
import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { LocalizerProvider } from "../i18n/LocalizerProvider";
import type { AccountView } from "../ipc/bindings";
import { commands } from "../ipc/call";
import { createQueryClient } from "../state/queryClient";
import { AccountList } from "./AccountList";

afterEach(cleanup);

const account = (name: string, active: boolean): AccountView => ({
  id: name,
  environment: "local",
  name,
  username: `${name}@alkhair.example`,
  lastUsed: "2026-11-25T09:00:00Z",
  active,
  remembered: true,
});

test("one switch is made at a time, however often its button and those of others are pressed", async () => {
  const switches: (() => void)[] = [];
  const accounts = [account("Noura", true), account("Salem", false), account("Hessa", false)];
  vi.spyOn(commands, "accounts").mockResolvedValue({ status: "ok", data: accounts });
  const switchAccount = vi.spyOn(commands, "switchAccount").mockImplementation(
    () =>
      new Promise((resolve) => {
        switches.push(() => resolve({ status: "ok", data: null }));
      }),
  );
  const onSwitched = vi.fn();
  render(
    <QueryClientProvider client={createQueryClient()}>
      <LocalizerProvider preferences={{ language: "en", theme: "light", digits: "latin" }}>
        <AccountList onSwitched={onSwitched} />
      </LocalizerProvider>
    </QueryClientProvider>,
  );
  const salem = await screen.findByRole<HTMLButtonElement>("button", { name: /^Switch to .?Salem/ });
  fireEvent.click(salem);
  fireEvent.click(salem);
  fireEvent.click(screen.getByRole("button", { name: /^Switch to .?Hessa/ }));
  // Without anything to save first, it is asked for in the next turn.
  await act(async () => undefined);
  expect(switchAccount.mock.calls).toEqual([["Salem"]]);
  expect([salem.disabled, salem.getAttribute("aria-disabled")], "it keeps the focus").toEqual([false, "true"]);
  await act(async () => switches.shift()?.());
  expect(onSwitched).toHaveBeenCalledOnce();
});
