/** The table role by scope that rules give, and the rules after a cell of it has changed. */

import type { RoleRules, RuleMatrix, ScopeSet } from "../ipc/bindings";

/** The name of a cell, as `clerk Service.Plans.v2.Get`. */
export function cellOf(role: string, scope: string): string {
  return `${role} ${scope}`;
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

/** The cells in which two tables differ. */
export function changedCells(one: ReadonlySet<string>, other: ReadonlySet<string>): Set<string> {
  return new Set([...one, ...other].filter((cell) => one.has(cell) !== other.has(cell)));
}
