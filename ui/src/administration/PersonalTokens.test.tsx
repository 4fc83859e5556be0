/** Tests of revoking tokens: a question shows no error of the one before. */

import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { errors, organizations } from "../gallery/fixtures";
import { LocalizerProvider } from "../i18n/LocalizerProvider";
import type { MachineUserView, PersonalTokenView } from "../ipc/bindings";
import { CommandFailure, commands } from "../ipc/call";
import { createQueryClient } from "../state/queryClient";
import { withBinding } from "../state/withBinding";
import { type Workspace, WorkspaceContext } from "../state/workspace";
import type { ConfirmChange } from "./ConfirmChange";
import { PersonalTokens } from "./PersonalTokens";

vi.mock("../state/withBinding");
vi.mock("./ConfirmChange", () => ({
  ConfirmChange: ({ title, error, onConfirm, onClose }: Parameters<typeof ConfirmChange>[0]) => (
    <div role="alertdialog" aria-label={title}>
      {error && <p role="alert">{error.kind}</p>}
      <button type="button" onClick={onConfirm}>
        Yes
      </button>
      <button type="button" onClick={onClose}>
        No
      </button>
    </div>
  ),
}));
afterEach(cleanup);

const organization = organizations[0] ?? expect.fail("there are sample organizations");
const token = (name: string): PersonalTokenView => ({
  id: name,
  name,
  created: "2026-11-14T07:40:00Z",
  expires: "2999-11-14T07:40:00Z",
  revoked: null,
});

test("the reason why a token was not revoked is not shown with the question about another one", async () => {
  const error = errors.internal[0] ?? expect.fail("there is a sample of every kind");
  vi.spyOn(commands, "listPersonalTokens").mockResolvedValue({
    status: "ok",
    data: { tokens: [token("import"), token("till")], nextPage: "" },
  });
  vi.spyOn(commands, "revokePersonalToken").mockResolvedValue({ status: "error", error });
  vi.mocked(withBinding).mockImplementation(async (_, command) => {
    const answer = await command({ organization: organization.id, generation: 1 });
    if (answer.status === "error") throw new CommandFailure(answer.error);
    return answer.data;
  });
  render(
    <QueryClientProvider client={createQueryClient()}>
      <LocalizerProvider preferences={{ language: "en", theme: "light", digits: "latin" }}>
        <WorkspaceContext value={{ organization } as unknown as Workspace}>
          <PersonalTokens user={{ id: "1", name: "Till" } as MachineUserView} onSecret={() => undefined} />
        </WorkspaceContext>
      </LocalizerProvider>
    </QueryClientProvider>,
  );
  fireEvent.click(await screen.findByRole("button", { name: /Revoke .?import/ }));
  fireEvent.click(screen.getByRole("button", { name: "Yes" }));
  await screen.findByRole("alert");
  fireEvent.click(screen.getByRole("button", { name: "No" }));
  await waitFor(() => expect(screen.queryByRole("alertdialog")).toBeNull());
  fireEvent.click(screen.getByRole("button", { name: /Revoke .?till/ }));
  await screen.findByRole("alertdialog");
  expect(screen.queryByRole("alert")).toBeNull();
});
