/** The table role by scope that rules give, and the rules after a cell of it has changed. */

import type { RoleRules, RuleEdit, RuleMatrix, RulesView, ScopeSet } from "../ipc/bindings";

/** By the name of the cell. */
export type CellEdits = ReadonlyMap<string, RuleEdit>;

/** The name of a cell, as `clerk Service.Plans.v2.Get`. */
export function cellOf(role: string, scope: string): string {
  return `${role} ${scope}`;
}

export function editsByCell(edits: readonly RuleEdit[]): CellEdits {
  return new Map(edits.map((edit) => [cellOf(edit.role, edit.scope), edit]));
}

/** The cells that the rules allow. A prohibition is stronger than a permission. */
export function allowedCells(matrix: RuleMatrix, groups: readonly ScopeSet[]): Set<string> {
  const members = new Map(groups.map(({ name, scopes }) => [name, scopes]));
  const expand = (names: readonly string[]) => names.flatMap((name) => members.get(name) ?? [name]);
  const nobody = new Set(expand(matrix.forbidden));
  const cells = new Set<string>();
  for (const row of matrix.roles) {
    const forbidden = new Set(expand(row.forbidden));
    for (const scope of expand(row.allowed)) {
      if (!forbidden.has(scope) && !nobody.has(scope)) cells.add(cellOf(row.role, scope));
    }
  }
  return cells;
}

/**
 * The cells that a prohibition of more than the cell decides, with the name of the group that it forbids to the role; `null` where it
 * forbids the scope to all roles. No permission of the cell has an effect.
 */
export function decidedCells(matrix: RuleMatrix, groups: readonly ScopeSet[]): Map<string, string | null> {
  const members = new Map(groups.map(({ name, scopes }) => [name, scopes]));
  const cells = new Map<string, string | null>();
  for (const { role, forbidden } of matrix.roles) {
    for (const name of forbidden) for (const scope of members.get(name) ?? []) cells.set(cellOf(role, scope), name);
    for (const name of matrix.forbidden) for (const scope of members.get(name) ?? [name]) cells.set(cellOf(role, scope), null);
  }
  return cells;
}

/** The rules with one cell changed. What a group allows is taken away by a prohibition, and a prohibition of the cell by its removal. */
export function withCell(
  matrix: RuleMatrix,
  groups: readonly ScopeSet[],
  role: string,
  scope: string,
  allowed: boolean,
): RuleMatrix {
  const row = matrix.roles.find((other) => other.role === role) ?? { role, allowed: [], forbidden: [] };
  const isAllowed = (changed: RoleRules) => allowedCells({ ...matrix, roles: [changed] }, groups).has(cellOf(role, scope));
  const without = (names: readonly string[]) => names.filter((name) => name !== scope);
  let changed: RoleRules;
  if (allowed) {
    changed = { ...row, forbidden: without(row.forbidden) };
    if (!isAllowed(changed)) changed = { ...changed, allowed: [...changed.allowed, scope] };
  } else {
    changed = { ...row, allowed: without(row.allowed) };
    if (isAllowed(changed)) changed = { ...changed, forbidden: [...changed.forbidden, scope] };
  }
  const roles = matrix.roles.some((other) => other.role === role)
    ? matrix.roles.map((other) => (other.role === role ? changed : other))
    : [...matrix.roles, changed];
  return { ...matrix, roles };
}

/** The edits with another one; without it, if the rules have what it wants. */
export function withEdit(edits: CellEdits, before: ReadonlySet<string>, edit: RuleEdit): CellEdits {
  const cell = cellOf(edit.role, edit.scope);
  const next = new Map(edits);
  if (before.has(cell) === edit.allowed) next.delete(cell);
  else next.set(cell, edit);
  return next;
}

/**
 * The rules with the edits, also those of an earlier version. An edit of a role or a scope that there is no more counts for nothing, and
 * so does one of a cell that is decided elsewhere.
 */
export function editedMatrix({ matrix, groups, scopes }: RulesView, edits: CellEdits): RuleMatrix {
  const before = allowedCells(matrix, groups);
  const decided = decidedCells(matrix, groups);
  const roles = new Set(matrix.roles.map(({ role }) => role));
  let edited = matrix;
  for (const [cell, { role, scope, allowed }] of edits) {
    const exists = roles.has(role) && scopes.includes(scope) && !decided.has(cell);
    if (exists && before.has(cell) !== allowed) edited = withCell(edited, groups, role, scope, allowed);
  }
  return edited;
}

/** What is still to be published after `sent` was: the edits that were made meanwhile, and the reverse of those that were taken back. */
export function editsSince(sent: readonly RuleEdit[], now: readonly RuleEdit[]): RuleEdit[] {
  const cells = editsByCell(now);
  const takenBack = sent.filter(({ role, scope }) => !cells.has(cellOf(role, scope)));
  return [
    ...takenBack.map(({ role, scope, allowed }) => ({ role, scope, allowed: !allowed })),
    ...now.filter((edit) => !sent.includes(edit)),
  ];
}

/** The cells in which two tables differ. */
export function changedCells(one: ReadonlySet<string>, other: ReadonlySet<string>): Set<string> {
  return new Set([...one, ...other].filter((cell) => one.has(cell) !== other.has(cell)));
}
