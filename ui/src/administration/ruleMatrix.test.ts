/** Tests of the table role by scope, and of the rules after a cell of it has changed. */
import { expect, test } from "vitest";
import type { RuleMatrix } from "../ipc/bindings";
import { allowedCells, changedCells, withCell } from "./ruleMatrix";

const groups = [{ name: "LeastRole.viewer", scopes: ["Get", "List"] }];
const matrix: RuleMatrix = {
  roles: [
    { role: "viewer", allowed: ["LeastRole.viewer"], forbidden: [] },
    { role: "clerk", allowed: ["LeastRole.viewer", "Create"], forbidden: ["List"] },
  ],
  forbidden: [],
};
const cells = (rules: RuleMatrix) => [...allowedCells(rules, groups)].toSorted();

test("groups are expanded, and a prohibition is stronger", () => {
  expect(cells(matrix)).toEqual(["clerk Create", "clerk Get", "viewer Get", "viewer List"]);
  expect(cells({ ...matrix, forbidden: ["Get"] })).toEqual(["clerk Create", "viewer List"]);
});

test("a scope of its own is added and removed", () => {
  const more = withCell(matrix, groups, "viewer", "Create", true);
  expect(more.roles[0]).toEqual({ role: "viewer", allowed: ["LeastRole.viewer", "Create"], forbidden: [] });
  expect(withCell(more, groups, "viewer", "Create", false)).toEqual(matrix);
});

test("what a group allows is taken away by a prohibition, and given back by its removal", () => {
  const less = withCell(matrix, groups, "viewer", "Get", false);
  expect(less.roles[0]).toEqual({ role: "viewer", allowed: ["LeastRole.viewer"], forbidden: ["Get"] });
  expect(withCell(less, groups, "viewer", "Get", true)).toEqual(matrix);
});

test("a role without a row gets one", () => {
  expect(withCell(matrix, groups, "auditor", "Get", true).roles[2]).toEqual({ role: "auditor", allowed: ["Get"], forbidden: [] });
});

test("the changed cells are those in which two tables differ", () => {
  const less = withCell(matrix, groups, "viewer", "Get", false);
  expect([...changedCells(allowedCells(matrix, groups), allowedCells(less, groups))]).toEqual(["viewer Get"]);
});
