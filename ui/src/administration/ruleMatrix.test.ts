/** Tests of the table role by scope, and of the rules after a cell of it has changed. */
import { expect, test } from "vitest";
import type { RuleMatrix } from "../ipc/bindings";
import { type RulesView } from "../ipc/bindings";
import { allowedCells, type CellEdits, changedCells, decidedCells, editedMatrix, withCell, withEdit } from "./ruleMatrix";

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

const rules = (changed: RuleMatrix, scopes = ["Create", "Get", "List"]) =>
  ({ matrix: changed, groups, scopes }) as unknown as RulesView;
const noEdits: CellEdits = new Map();
const create = { role: "viewer", scope: "Create", allowed: true };

test("an edit that wants what the rules have is none", () => {
  const before = allowedCells(matrix, groups);
  const once = withEdit(noEdits, before, create);
  expect(once.size).toBe(1);
  expect(withEdit(once, before, { ...create, allowed: false }).size).toBe(0);
});

test("edits apply to a version that somebody else has published, as far as it lacks what they want", () => {
  const edits = withEdit(noEdits, allowedCells(matrix, groups), create);
  const theirs = withCell(matrix, groups, "clerk", "List", true);
  expect(cells(editedMatrix(rules(theirs), edits))).toEqual([...cells(theirs), "viewer Create"].toSorted());
  const same = withCell(theirs, groups, "viewer", "Create", true);
  expect(editedMatrix(rules(same), edits)).toBe(same);
});

test("an edit of a role or of a scope that there is no more counts for nothing", () => {
  const edits = withEdit(noEdits, allowedCells(matrix, groups), create);
  const withoutViewers = { ...matrix, roles: matrix.roles.slice(1) };
  expect(editedMatrix(rules(withoutViewers), edits)).toBe(withoutViewers);
  expect(editedMatrix(rules(matrix, ["Get", "List"]), edits)).toBe(matrix);
});

test("a cell is decided by a group that its role must not hold, or by what nobody may hold, and not by its own prohibition", () => {
  const viewers = { role: "viewer", allowed: [], forbidden: ["LeastRole.viewer", "Create"] };
  expect(decidedCells({ roles: [viewers], forbidden: [] }, groups)).toEqual(
    new Map([
      ["viewer Get", "LeastRole.viewer"],
      ["viewer List", "LeastRole.viewer"],
    ]),
  );
  expect(decidedCells({ roles: [viewers], forbidden: ["Create", "Get"] }, groups)).toEqual(
    new Map([
      ["viewer Get", null],
      ["viewer List", "LeastRole.viewer"],
      ["viewer Create", null],
    ]),
  );
});

test("an edit of a cell that is decided elsewhere counts for nothing", () => {
  const edits = withEdit(noEdits, allowedCells(matrix, groups), create);
  const forbidden = { ...matrix, forbidden: ["Create"] };
  expect(editedMatrix(rules(forbidden), edits)).toBe(forbidden);
});
