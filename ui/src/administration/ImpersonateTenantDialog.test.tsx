/** Tests of naming the person to act as by the id. */

import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import type { ModalProps } from "../components/Modal";
import { organizations } from "../gallery/fixtures";
import { LocalizerProvider } from "../i18n/LocalizerProvider";
import { commands } from "../ipc/call";
import { createQueryClient } from "../state/queryClient";
import { withBinding } from "../state/withBinding";
import { type Workspace, WorkspaceContext } from "../state/workspace";
import { ImpersonateTenantDialog } from "./ImpersonateTenantDialog";

vi.mock("../components/Modal", () => ({
  Modal: ({ children, actions }: ModalProps) => (
    <div>
      {children}
      {actions}
    </div>
  ),
}));
vi.mock("../state/withBinding");
afterEach(cleanup);

test("an id that is typed with Arabic digits is the same id", async () => {
  const [organization] = organizations;
  vi.spyOn(commands, "impersonate").mockResolvedValue({ status: "ok", data: null });
  vi.mocked(withBinding).mockImplementation(async (id, command) => {
    const answer = await command({ organization: id, generation: 1 });
    if (answer.status === "error") throw new Error("refused");
    return answer.data;
  });
  render(
    <QueryClientProvider client={createQueryClient()}>
      <LocalizerProvider preferences={{ language: "ar", theme: "light", digits: "arabic" }}>
        <WorkspaceContext value={{ organization } as unknown as Workspace}>
          <ImpersonateTenantDialog id="7" name="Andalus" onClose={() => undefined} />
        </WorkspaceContext>
      </LocalizerProvider>
    </QueryClientProvider>,
  );
  fireEvent.change(screen.getByRole("textbox"), { target: { value: " ٣١٠٠٤ " } });
  fireEvent.submit(document.querySelector("form") ?? expect.fail("there is a form"));
  await waitFor(() => expect(vi.mocked(commands.impersonate).mock.calls[0]?.slice(1)).toEqual(["7", "31004"]));
});
