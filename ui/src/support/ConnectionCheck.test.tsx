/** Tests of the button of the check of the connection. */

import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { renderInWorkspace } from "../gallery/renderInWorkspace";
import { commands } from "../ipc/call";
import { ConnectionCheck } from "./ConnectionCheck";

afterEach(cleanup);

test("the button keeps the focus while the connection is checked, and starts no second check", async () => {
  const diagnose = vi.spyOn(commands, "diagnose").mockReturnValue(new Promise(() => undefined));
  renderInWorkspace(<ConnectionCheck environment="staging" label="Staging" />);
  const button = screen.getByRole<HTMLButtonElement>("button");
  fireEvent.click(button);
  // A button that is disabled loses it.
  await waitFor(() => expect([button.disabled, button.getAttribute("aria-disabled")]).toEqual([false, "true"]));
  fireEvent.click(button);
  expect(diagnose).toHaveBeenCalledTimes(1);
});
