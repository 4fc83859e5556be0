/** Tests of the versions of the rules: they are read in pages, say who has published them, and can be put in force again. */

import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { announce } from "../components/announce";
import { errors } from "../gallery/fixtures";
import { renderInWorkspace, runWithBinding } from "../gallery/renderInWorkspace";
import { plainText } from "../i18n/localizer";
import type { RulesView, RuleVersionView } from "../ipc/bindings";
import { commands } from "../ipc/call";
import { RuleVersions } from "./RuleVersions";

vi.mock("../components/announce");
vi.mock("../state/withBinding");
vi.mock("./AdministrationError", () => ({ AdministrationError: () => <p role="alert">failed</p> }));
vi.mock("./ConfirmChange");
afterEach(cleanup);

const version = (number: number): RuleVersionView => ({
  number,
  stamp: `stamp ${number}`,
  by: "",
  time: null,
  comment: "",
  restores: null,
});

const page = (numbers: number[], nextPage = "") => ({
  status: "ok" as const,
  data: { versions: numbers.map(version), nextPage },
});

const error = errors.offline[0] ?? expect.fail("there is a sample of every kind");

/** Asks to put version 1 in force again, and says yes. */
async function restore(answer: Awaited<ReturnType<typeof commands.rollBackRules>>) {
  vi.spyOn(commands, "listRuleVersions").mockResolvedValueOnce(page([2, 1]));
  vi.spyOn(commands, "rollBackRules").mockResolvedValue(answer);
  runWithBinding();
  renderInWorkspace(<RuleVersions current={version(2)} />);
  fireEvent.click(await screen.findByRole("button", { name: /version .?1/ }));
  vi.mocked(commands.listRuleVersions).mockResolvedValue({ status: "error", error });
  fireEvent.click(screen.getByRole("button", { name: "Yes" }));
}

test("a question whose answer has failed stays when the versions cannot be read again either", async () => {
  await restore({ status: "error", error });
  await screen.findByText("offline");
  await screen.findByText("failed");
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

test("the versions before the first page are read on request, and the built-in one is behind the last", async () => {
  vi.spyOn(commands, "listRuleVersions").mockImplementation(async (_, token) =>
    token === "" ? page([3, 2], "older") : page([1]),
  );
  runWithBinding();
  renderInWorkspace(<RuleVersions current={version(3)} />);
  const more = await screen.findByRole("button", { name: "Show more" });
  expect(screen.getAllByRole("listitem")).toHaveLength(2);
  fireEvent.click(more);
  await screen.findByText("Built in");
  expect(screen.getAllByRole("listitem")).toHaveLength(4);
  expect(vi.mocked(commands.listRuleVersions).mock.calls.map(([, token]) => token)).toEqual(["", "older"]);
});

test("a version says who has published it, and the built-in one names nobody", async () => {
  const time = "2026-11-14T07:40:00Z";
  const versions = [
    { ...version(2), by: "310000000000000003", time },
    { ...version(1), by: "command line", time },
    { ...version(1), number: 3, by: "1", time },
  ];
  vi.spyOn(commands, "listRuleVersions").mockResolvedValue({ status: "ok", data: { versions, nextPage: "" } });
  runWithBinding();
  renderInWorkspace(<RuleVersions current={version(2)} />);
  await screen.findByText("Built in");
  expect(screen.getAllByRole("listitem").map(({ textContent }) => plainText(textContent ?? ""))).toEqual([
    expect.stringContaining("by 310000000000000003"),
    expect.stringContaining("by Command line of the server"),
    expect.stringContaining("by Noura Al-Harbi"),
    expect.not.stringContaining("by "),
  ]);
});
