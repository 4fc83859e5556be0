/** Tests of the table of rules: what changed and decided cells say, and that the result of a search is announced. */

import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { announce } from "../components/announce";
import { renderInWorkspace, untilAnnounced } from "../gallery/renderInWorkspace";
import { plainText } from "../i18n/localizer";
import type { RulesView } from "../ipc/bindings";
import { RuleTable } from "./RuleTable";
import { cellOf } from "./ruleMatrix";

vi.mock("../components/announce");

const GET = "Service.Plans.v2.Get";
const LIST = "Service.Plans.v2.List";
const rules = {
  version: { number: 1, stamp: "1" },
  matrix: { roles: [{ role: "clerk", allowed: [GET], forbidden: [] }], forbidden: [] },
  held: [],
  scopes: [GET, LIST],
  groups: [],
} as unknown as RulesView;

beforeEach(() => {
  vi.mocked(announce).mockClear();
});
afterEach(cleanup);

function show(shown: RulesView = rules) {
  renderInWorkspace(
    <RuleTable
      rules={shown}
      cells={new Set([cellOf("clerk", GET), cellOf("clerk", LIST)])}
      changed={new Set([cellOf("clerk", LIST)])}
      onCell={() => undefined}
    />,
  );
}

const shownIn = (cell: HTMLElement) => (cell.querySelector("input") ? "box" : plainText(cell.textContent ?? ""));

test("a changed cell has a mark and a description, and the others have none", () => {
  show();
  const described = screen.getAllByRole("checkbox").map((box) => ({
    words: document.getElementById(box.getAttribute("aria-describedby") ?? "")?.textContent,
    isMarked: box.closest("td")?.querySelector("svg") !== null,
  }));
  expect(described).toEqual([
    { words: undefined, isMarked: false },
    { words: "Changed, and not published yet", isMarked: true },
  ]);
});

test("the number of permissions that a search has found is announced", async () => {
  show();
  const search = screen.getByRole("textbox");
  fireEvent.change(search, { target: { value: "plans.v2.list" } });
  await waitFor(() => expect(announce).toHaveBeenLastCalledWith("1 result"), untilAnnounced);
  fireEvent.change(search, { target: { value: "nothing like it" } });
  await waitFor(() => expect(announce).toHaveBeenLastCalledWith("No permission has these words."), untilAnnounced);
});

test("a cell that a group or a rule for all roles decides says so, and offers no box without an effect", () => {
  const PUBLISH = "Service.Rules.v2.Publish";
  const CHECK = "Service.Rules.v2.Check";
  const roles = [
    { role: "clerk", allowed: [GET, LIST], forbidden: ["All rules"] },
    { role: "viewer", allowed: [GET], forbidden: [LIST] },
  ];
  show({
    ...rules,
    matrix: { roles, forbidden: [GET] },
    scopes: [GET, LIST, PUBLISH, CHECK],
    groups: [{ name: "All rules", scopes: [PUBLISH, CHECK] }],
  });
  const forAll = "Forbidden to all roles";
  const byGroup = "Forbidden with All rules";
  // Of each permission that of viewers, then that of clerks.
  expect(screen.getAllByRole("cell").map(shownIn)).toEqual([forAll, forAll, "box", "box", "box", byGroup, "box", byGroup]);
});
