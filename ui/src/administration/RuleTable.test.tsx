/** Tests of the table of rules: a changed cell is told by a mark and by words, and what a search has found is announced. */

import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { announce } from "../components/announce";
import { LocalizerProvider } from "../i18n/LocalizerProvider";
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
  render(
    <LocalizerProvider preferences={{ language: "en", theme: "light", digits: "latin" }}>
      <RuleTable
        rules={rules}
        cells={new Set([cellOf("clerk", GET), cellOf("clerk", LIST)])}
        changed={new Set([cellOf("clerk", LIST)])}
        onCell={() => undefined}
      />
    </LocalizerProvider>,
  );
});
afterEach(cleanup);

test("a changed cell has a mark and a description, and the others have none", () => {
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
  const search = screen.getByRole("textbox");
  fireEvent.change(search, { target: { value: "plans.v2.list" } });
  await waitFor(() => expect(announce).toHaveBeenLastCalledWith("1 result"));
  fireEvent.change(search, { target: { value: "nothing like it" } });
  await waitFor(() => expect(announce).toHaveBeenLastCalledWith("No permission has these words."));
});
