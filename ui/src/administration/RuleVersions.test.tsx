/** Tests of putting a version of the rules in force again. */

import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { announce } from "../components/announce";
import { errors, organizations } from "../gallery/fixtures";
import { LocalizerProvider } from "../i18n/LocalizerProvider";
import type { RulesView, RuleVersionView } from "../ipc/bindings";
import { CommandFailure, commands } from "../ipc/call";
import { createQueryClient } from "../state/queryClient";
import { withBinding } from "../state/withBinding";
import { type Workspace, WorkspaceContext } from "../state/workspace";
import type { ConfirmChange } from "./ConfirmChange";
import { RuleVersions } from "./RuleVersions";

vi.mock("../components/announce");
vi.mock("../state/withBinding");
vi.mock("./AdministrationError", () => ({ AdministrationError: () => <p role="alert">failed</p> }));
vi.mock("./ConfirmChange", () => ({
  ConfirmChange: ({ error, onConfirm }: Parameters<typeof ConfirmChange>[0]) => (
    <div role="alertdialog">
      <button type="button" onClick={onConfirm}>
        Yes
      </button>
      {error && <p>{error.kind}</p>}
    </div>
  ),
}));
afterEach(cleanup);

const organization = organizations[0] ?? expect.fail("there are sample organizations");
const version = (number: number): RuleVersionView => ({
  number,
  stamp: `stamp ${number}`,
  by: "",
  time: null,
  comment: "",
  restores: null,
});

const error = errors.offline[0] ?? expect.fail("there is a sample of every kind");

/** Asks to put version 1 in force again, and says yes. */
async function restore(answer: Awaited<ReturnType<typeof commands.rollBackRules>>) {
  vi.spyOn(commands, "listRuleVersions").mockResolvedValueOnce({ status: "ok", data: [version(2), version(1)] });
  vi.spyOn(commands, "rollBackRules").mockResolvedValue(answer);
  vi.mocked(withBinding).mockImplementation(async (_, command) => {
    const result = await command({ organization: organization.id, generation: 1 });
    if (result.status === "error") throw new CommandFailure(result.error);
    return result.data;
  });
  render(
    <QueryClientProvider client={createQueryClient()}>
      <LocalizerProvider preferences={{ language: "en", theme: "light", digits: "latin" }}>
        <WorkspaceContext value={{ organization } as unknown as Workspace}>
          <RuleVersions current={version(2)} />
        </WorkspaceContext>
      </LocalizerProvider>
    </QueryClientProvider>,
  );
  fireEvent.click(await screen.findByRole("button", { name: /version .?1/ }));
  vi.mocked(commands.listRuleVersions).mockResolvedValue({ status: "error", error });
  fireEvent.click(screen.getByRole("button", { name: "Yes" }));
}

test("a question whose answer has failed stays when the versions cannot be read again either", async () => {
  await restore({ status: "error", error });
  await screen.findByText("offline");
  await screen.findByRole("alert");
  await waitFor(() => expect(commands.listRuleVersions).toHaveBeenCalledTimes(2));
  expect(screen.getByRole("alertdialog")).toBeDefined();
});

test("the reason of a version has no marks that are only for the screen", async () => {
  await restore({ status: "error", error });
  await screen.findByText("offline");
  expect(vi.mocked(commands.rollBackRules).mock.calls[0]?.slice(1)).toEqual([1, "stamp 2", "Back to version 1"]);
});

test("a version that is in force again is announced with its new number", async () => {
  await restore({ status: "ok", data: { version: version(3) } as RulesView });
  await waitFor(() => expect(announce).toHaveBeenCalledWith(expect.stringContaining("Version 3 is published")));
  await waitFor(() => expect(screen.queryByRole("alertdialog")).toBeNull());
});
