/** Tests of revoking tokens: a question shows no error of the one before. */

import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { errors } from "../gallery/fixtures";
import { renderInWorkspace, runWithBinding } from "../gallery/renderInWorkspace";
import type { MachineUserView, PersonalTokenView } from "../ipc/bindings";
import { commands } from "../ipc/call";
import { PersonalTokens } from "./PersonalTokens";

vi.mock("../state/withBinding");
vi.mock("./ConfirmChange");
afterEach(cleanup);

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
  runWithBinding();
  renderInWorkspace(<PersonalTokens user={{ id: "1", name: "Till" } as MachineUserView} onSecret={() => undefined} />);
  fireEvent.click(await screen.findByRole("button", { name: /Revoke .?import/ }));
  fireEvent.click(screen.getByRole("button", { name: "Yes" }));
  await screen.findByRole("alert");
  fireEvent.click(screen.getByRole("button", { name: "No" }));
  await waitFor(() => expect(screen.queryByRole("alertdialog")).toBeNull());
  fireEvent.click(screen.getByRole("button", { name: /Revoke .?till/ }));
  await screen.findByRole("alertdialog");
  expect(screen.queryByRole("alert")).toBeNull();
});
