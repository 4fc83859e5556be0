/** Tests of the report for support: that it is made is announced, also when it is made again. */

import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { announce } from "../components/announce";
import { renderInWorkspace } from "../gallery/renderInWorkspace";
import { commands } from "../ipc/call";
import { SupportPacket } from "./SupportPacket";

vi.mock("../components/announce");
afterEach(cleanup);

test("each report that is made is announced, and takes the place of the one before", async () => {
  vi.mocked(announce).mockClear();
  vi.spyOn(commands, "supportPacket")
    .mockResolvedValueOnce({ status: "ok", data: "the first log" })
    .mockResolvedValue({ status: "ok", data: "the second log" });
  renderInWorkspace(<SupportPacket />);
  const make = screen.getByRole("button", { name: "Make the report" });
  for (const log of ["the first log", "the second log"]) {
    fireEvent.click(make);
    await waitFor(() => expect(screen.getByRole<HTMLTextAreaElement>("textbox").value).toBe(log));
  }
  await waitFor(() => expect(vi.mocked(announce).mock.calls).toEqual([["The report is ready."], ["The report is ready."]]));
});
