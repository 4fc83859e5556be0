/** Tests of the zoom at its limit. */

import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { renderInWorkspace } from "../gallery/renderInWorkspace";
import { commands } from "../ipc/call";
import { defaultPreferences } from "../state/usePreferences";
import { AppearanceSettings } from "./AppearanceSettings";

afterEach(cleanup);

test("the button that has made the largest zoom keeps the focus, and says that it goes no further", async () => {
  vi.spyOn(commands, "preferences").mockResolvedValue({ status: "ok", data: { ...defaultPreferences, zoom: 175 } });
  vi.spyOn(commands, "savePreferences").mockResolvedValue({ status: "ok", data: null });
  renderInWorkspace(<AppearanceSettings />);
  await waitFor(() => expect(screen.getByRole("status").textContent).toContain("175"));
  const larger = screen.getByRole<HTMLButtonElement>("button", { name: "Zoom in" });
  fireEvent.click(larger);
  await waitFor(() => expect(screen.getByRole("status").textContent).toContain("200"));
  expect([larger.disabled, larger.getAttribute("aria-disabled")]).toEqual([false, "true"]);
  fireEvent.click(larger);
  expect(screen.getByRole("status").textContent).toContain("200");
});
