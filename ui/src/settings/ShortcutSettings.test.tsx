/** Tests of where the focus goes when a shortcut gets its own keys back. */

import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { LocalizerProvider } from "../i18n/LocalizerProvider";
import { plainText } from "../i18n/localizer";
import { commands } from "../ipc/call";
import { createQueryClient } from "../state/queryClient";
import { defaultPreferences } from "../state/usePreferences";
import { ShortcutSettings } from "./ShortcutSettings";

afterEach(cleanup);

test("the button that resets the keys goes, and the one that changes them has the focus", async () => {
  const shortcuts = { newInvoice: "F9" };
  vi.spyOn(commands, "preferences").mockResolvedValue({ status: "ok", data: { ...defaultPreferences, shortcuts } });
  vi.spyOn(commands, "savePreferences").mockResolvedValue({ status: "ok", data: null });
  render(
    <QueryClientProvider client={createQueryClient()}>
      <LocalizerProvider preferences={{ language: "en", theme: "light", digits: "latin" }}>
        <ShortcutSettings />
      </LocalizerProvider>
    </QueryClientProvider>,
  );
  const reset = await screen.findByRole("button", { name: /^Reset the keys of/ });
  reset.focus();
  fireEvent.click(reset);
  await waitFor(() =>
    expect(plainText(document.activeElement?.getAttribute("aria-label") ?? "")).toBe("Change the keys of New invoice"),
  );
});
