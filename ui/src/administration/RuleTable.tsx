/** The table role by permission, in the subjects of the permissions, with a search in their words and scopes. */

import { Ban, Pencil } from "lucide-react";
import { useId, useMemo, useState } from "react";
import { TextField } from "../components/Field";
import { useResultAnnouncement } from "../components/useAnnouncement";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { RulesView } from "../ipc/bindings";
import { roleName, sortRoles } from "../organizations/roles";
import { matchesPermission, permissionName, permissionsBySubject } from "./permissionNames";
import { cellOf, decidedCells } from "./ruleMatrix";

export function RuleTable({
  rules,
  cells,
  changed,
  onCell,
}: {
  rules: RulesView;
  cells: ReadonlySet<string>;
  changed: ReadonlySet<string>;
  onCell: (role: string, scope: string, allowed: boolean) => void;
}) {
  const localizer = useLocalizer();
  const { t } = localizer;
  const [search, setSearch] = useState("");
  const roles = sortRoles(rules.matrix.roles.map(({ role }) => role));
  const changedText = useId();
  const decided = useMemo(() => decidedCells(rules.matrix, rules.groups), [rules]);
  const found = rules.scopes.filter((scope) => matchesPermission(scope, search, localizer));
  const groups = permissionsBySubject(found);
  useResultAnnouncement(search.trim(), found.length, t("rules-none-found"));
  return (
    <>
      <div className="max-w-80">
        <TextField label={t("rules-filter")} value={search} onChange={setSearch} />
      </div>
      <section
        aria-label={t("rules-table")}
        className="max-h-[52vh] overflow-auto rounded-md border border-line-strong bg-surface"
      >
        <table className="w-full border-separate border-spacing-0">
          <thead>
            <tr>
              <th scope="col" className="sticky top-0 z-10 border-line-strong border-b bg-sunken px-3 py-1.5 text-start text-xs">
                {t("rules-scope")}
              </th>
              {roles.map((role) => (
                <th
                  key={role}
                  scope="col"
                  className="sticky top-0 z-10 border-line-strong border-b bg-sunken px-2 py-1.5 text-xs"
                >
                  {roleName(role, localizer)}
                </th>
              ))}
            </tr>
          </thead>
          {groups.map(({ subject, scopes }) => (
            <tbody key={subject}>
              <tr>
                <th
                  scope="rowgroup"
                  colSpan={roles.length + 1}
                  className="border-line border-b px-3 pt-3 pb-1 text-start font-semibold text-xs"
                >
                  {t(`permissions-${subject}`)}
                </th>
              </tr>
              {scopes.map((scope) => {
                const name = permissionName(scope, localizer);
                return (
                  <tr key={scope}>
                    <th scope="row" className="border-line border-b px-3 py-1 text-start font-normal">
                      {name}
                      {/* Without words the name is the scope. */}
                      {name !== scope && (
                        <span className="block text-2xs text-fg-2 leading-4">
                          <bdi dir="ltr" className="break-all">
                            {scope}
                          </bdi>
                        </span>
                      )}
                    </th>
                    {roles.map((role) => {
                      const cell = cellOf(role, scope);
                      const isChanged = changed.has(cell);
                      const group = decided.get(cell);
                      if (group !== undefined) return <DecidedCell key={role} group={group} />;
                      return (
                        <td
                          key={role}
                          className={`relative border-line border-b text-center ${isChanged ? "bg-warning-soft" : ""}`}
                        >
                          <input
                            type="checkbox"
                            className="rule-cell"
                            checked={cells.has(cell)}
                            aria-label={t("rules-cell", { role: roleName(role, localizer), scope: name })}
                            aria-describedby={isChanged ? changedText : undefined}
                            onChange={(event) => onCell(role, scope, event.target.checked)}
                          />
                          {isChanged && <Pencil size={10} aria-hidden="true" className="absolute end-1 top-1 text-warning" />}
                        </td>
                      );
                    })}
                  </tr>
                );
              })}
            </tbody>
          ))}
        </table>
      </section>
      {groups.length === 0 && <p>{t("rules-none-found")}</p>}
      <p id={changedText} hidden>
        {t("rules-cell-changed")}
      </p>
    </>
  );
}

/** A cell that no permission of its own changes: who decides it, in place of a box. */
function DecidedCell({ group }: { group: string | null }) {
  const { t } = useLocalizer();
  return (
    <td className="border-line border-b px-2 py-1 text-center text-2xs text-fg-2 leading-4">
      <Ban size={12} aria-hidden="true" className="mx-auto text-fg-3" />
      <span className="wrap-anywhere">
        {group === null ? t("rules-decided-for-all") : t("rules-decided-by-group", { group })}
      </span>
    </td>
  );
}
