/** Tests of where the focus goes when shortcuts get their own keys back. */

import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { renderInWorkspace } from "../gallery/renderInWorkspace";
import { plainText } from "../i18n/localizer";
import { commands } from "../ipc/call";
import { defaultPreferences } from "../state/usePreferences";
import { ShortcutSettings } from "./ShortcutSettings";

afterEach(cleanup);

/** The button that resets the keys of the shortcut. */
function showWith(shortcuts: Record<string, string>) {
  vi.spyOn(commands, "preferences").mockResolvedValue({ status: "ok", data: { ...defaultPreferences, shortcuts } });
  vi.spyOn(commands, "savePreferences").mockResolvedValue({ status: "ok", data: null });
  renderInWorkspace(<ShortcutSettings />);
  return screen.findByRole("button", { name: /^Reset the keys of/ });
}

test("the button that resets the keys goes, and the one that changes them has the focus", async () => {
  const reset = await showWith({ newInvoice: "F9" });
  reset.focus();
  fireEvent.click(reset);
  await waitFor(() =>
    expect(plainText(document.activeElement?.getAttribute("aria-label") ?? "")).toBe("Change the keys of New invoice"),
  );
});

test("the button that resets all keys is disabled then, and one that changes keys has the focus", async () => {
  // The shortcut of the first row.
  await showWith({ palette: "F8" });
  const all = screen.getByRole<HTMLButtonElement>("button", { name: "Reset all" });
  all.focus();
  fireEvent.click(all);
  await waitFor(() => expect(all.disabled).toBe(true));
  expect(document.activeElement?.getAttribute("aria-label")).toMatch(/^Change the keys of/);
});
