/** Tests of naming the person to act as by the id. */

import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { renderInWorkspace, runWithBinding } from "../gallery/renderInWorkspace";
import { commands } from "../ipc/call";
import { ImpersonateTenantDialog } from "./ImpersonateTenantDialog";

vi.mock("../components/Modal");
vi.mock("../state/withBinding");
afterEach(cleanup);

test("an id that is typed with Arabic digits is the same id", async () => {
  vi.spyOn(commands, "impersonate").mockResolvedValue({ status: "ok", data: null });
  runWithBinding();
  renderInWorkspace(<ImpersonateTenantDialog id="7" name="Andalus" onClose={() => undefined} />, { language: "ar" });
  fireEvent.change(screen.getByRole("textbox"), { target: { value: " ٣١٠٠٤ " } });
  fireEvent.submit(document.querySelector("form") ?? expect.fail("there is a form"));
  await waitFor(() => expect(vi.mocked(commands.impersonate).mock.calls[0]?.slice(1)).toEqual(["7", "31004"]));
});
