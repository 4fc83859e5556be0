/** What a publication of rules would do, as the service has found. */

import type { ReactNode } from "react";
import { ServiceWords } from "../errors/ServiceWords";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { Localizer } from "../i18n/localizer";
import type { RulesCheck, RulesViolation } from "../ipc/bindings";
import { roleName } from "../organizations/roles";
import { permissionName } from "./permissionNames";

/** How many cells are listed. */
const SHOWN = 40;

/** The message that says how a check has ended. */
export function resultText({ publishable }: RulesCheck) {
  return publishable ? "rules-publishable" : "rules-not-publishable";
}

function violationText({ problem, about }: RulesViolation, localizer: Localizer): string {
  const { t } = localizer;
  if (problem === "other") return t("rules-violation-other");
  const name = problem === "permission" ? permissionName(about, localizer) : roleName(about, localizer);
  return t(`rules-violation-${problem}`, { name });
}

export function CheckResult({ check, children }: { check: RulesCheck; children: ReactNode }) {
  const localizer = useLocalizer();
  const { t, format } = localizer;
  const names = (scopes: readonly string[]) => scopes.map((scope) => permissionName(scope, localizer));
  // Those without words of their own are one line.
  const violations = [...new Set(check.violations.map((violation) => violationText(violation, localizer)))];
  return (
    <section
      aria-labelledby="check-result"
      className={`flex flex-col gap-3 rounded-md border p-3 ${check.publishable ? "border-line-strong" : "border-danger"}`}
    >
      <h3 id="check-result" className="font-semibold">
        {t(resultText(check))}
      </h3>
      {violations.map((text) => (
        <p key={text}>{text}</p>
      ))}
      {check.violations.length > 0 && (
        <ServiceWords texts={[...new Set(check.violations.map(({ description }) => description))]} />
      )}
      {check.findings.map((finding) => (
        <p key={finding.reason} className="text-danger">
          {t(`finding-rules-${finding.reason}`)} {format.list([...finding.organizations, ...names(finding.scopes)])}
        </p>
      ))}
      <div>
        <p className="font-semibold text-xs">{t("rules-cells", { count: check.changedCellCount })}</p>
        <ul>
          {check.changedCells.slice(0, SHOWN).map(({ role, scope, allowed }) => (
            <li key={`${role} ${scope}`}>
              {t(allowed ? "rules-gains" : "rules-loses", {
                role: roleName(role, localizer),
                permission: permissionName(scope, localizer),
              })}
            </li>
          ))}
        </ul>
        <Others count={check.changedCellCount - Math.min(check.changedCells.length, SHOWN)} />
      </div>
      <div>
        <p className="font-semibold text-xs">{t("rules-losing", { count: check.losingUserCount })}</p>
        <ul>
          {check.losingUsers.map(({ user, organization, roles, scopes }) => (
            <li key={`${user} ${organization}`}>
              <bdi dir="ltr">{user}</bdi> ({format.list(roles.map((role) => roleName(role, localizer)))}):{" "}
              {format.list(names(scopes))}
            </li>
          ))}
        </ul>
        <Others count={check.losingUserCount - check.losingUsers.length} />
      </div>
      {check.unheldScopes.length > 0 && (
        <p className="text-warning">
          {t("rules-unheld")} {format.list(names(check.unheldScopes))}
        </p>
      )}
      {children}
    </section>
  );
}

/** How many are not listed. */
function Others({ count }: { count: number }) {
  const { t } = useLocalizer();
  return count > 0 && <p className="text-fg-2">{t("rules-more", { count })}</p>;
}
