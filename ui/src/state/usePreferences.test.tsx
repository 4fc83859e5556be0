/** Tests of changing preferences: none is lost to another window, to the order of saves, or to a full disk. */

import { QueryClientProvider } from "@tanstack/react-query";
import { act, cleanup, renderHook, waitFor } from "@testing-library/react";
import type { ReactNode } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { showWindowError } from "../errors/windowError";
import { errors } from "../gallery/fixtures";
import type { Preferences } from "../ipc/bindings";
import { commands } from "../ipc/call";
import { createQueryClient } from "./queryClient";
import { type AllPreferences, defaultPreferences, usePreferences } from "./usePreferences";

vi.mock("../errors/windowError");

/** What the core has. */
let stored: Preferences;

beforeEach(() => {
  stored = defaultPreferences;
  vi.spyOn(commands, "preferences").mockImplementation(async () => ({ status: "ok", data: stored }));
  vi.spyOn(commands, "savePreferences").mockImplementation(async (next) => {
    stored = next;
    return { status: "ok", data: null };
  });
});
afterEach(cleanup);

/** A window that has read the preferences. */
async function open() {
  const client = createQueryClient();
  const { result } = renderHook(usePreferences, {
    wrapper: ({ children }: { children: ReactNode }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>,
  });
  await waitFor(() => expect(result.current.ready).toBe(true));
  return {
    shown: () => result.current.preferences,
    change: (part: Partial<AllPreferences>) => act(() => result.current.change(part)),
  };
}

test("a setting that another window has changed stays when this one changes another", async () => {
  const { change } = await open();
  stored = { ...stored, theme: "dark" };
  change({ zoom: 125 });
  await waitFor(() => expect(stored).toEqual({ ...defaultPreferences, theme: "dark", zoom: 125 }));
});

test("a change is stored after the one before, however long that takes", async () => {
  const { change } = await open();
  let finish: (() => void) | undefined;
  vi.mocked(commands.savePreferences).mockImplementationOnce(
    (next) =>
      new Promise((resolve) => {
        finish = () => {
          stored = next;
          resolve({ status: "ok", data: null });
        };
      }),
  );
  change({ zoom: 110 });
  await waitFor(() => expect(commands.savePreferences).toHaveBeenCalledTimes(1));
  change({ zoom: 125 });
  await act(async () => finish?.());
  await waitFor(() => expect(commands.savePreferences).toHaveBeenCalledTimes(2));
  expect(stored.zoom).toBe(125);
});

test("a change that cannot be stored applies, is told, and is stored with the next one", async () => {
  const { change, shown } = await open();
  const error = errors.notSaved[0] ?? expect.fail("there is a sample of every kind");
  vi.mocked(commands.savePreferences).mockResolvedValueOnce({ status: "error", error });
  change({ theme: "dark" });
  await waitFor(() => expect(shown().theme).toBe("dark"));
  await waitFor(() => expect(showWindowError).toHaveBeenCalledWith(error));
  expect(stored).toEqual(defaultPreferences);
  change({ zoom: 125 });
  await waitFor(() => expect(stored).toEqual({ ...defaultPreferences, theme: "dark", zoom: 125 }));
});
