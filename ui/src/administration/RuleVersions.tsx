/** The published versions of the rules, each of which can become current again. */

import { useState } from "react";
import { Button } from "../components/Button";
import { LoadingText } from "../components/LoadingText";
import { showStatus } from "../components/statusMessage";
import { usePagedList } from "../components/usePagedList";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { plainText } from "../i18n/localizer";
import type { RuleVersionView } from "../ipc/bindings";
import { commandError, commands } from "../ipc/call";
import { withBinding } from "../state/withBinding";
import { useWorkspace } from "../state/workspace";
import { AdministrationError } from "./AdministrationError";
import { ConfirmChange } from "./ConfirmChange";
import type { AdministrationWrite } from "./useAdministration";
import { usePersonText } from "./usePersonText";

/** The version that holds until one is published. The service does not list it, and it can be put in force again like any other. */
const BUILT_IN: RuleVersionView = { number: 0, stamp: "", by: "", time: null, comment: "", restores: null };

export function RuleVersions({ current }: { current: RuleVersionView }) {
  const { t, format } = useLocalizer();
  const { organization } = useWorkspace();
  const personOf = usePersonText();
  const [restoring, setRestoring] = useState<RuleVersionView | null>(null);
  const { query, rows, end } = usePagedList(
    [organization.id, "rules", "versions", String(current.number)],
    (page) => withBinding(organization.id, (binding) => commands.listRuleVersions(binding, page)),
    ({ versions, nextPage }) => (nextPage === "" ? [...versions, BUILT_IN] : versions),
  );
  const restore = async (run: AdministrationWrite["run"], version: RuleVersionView) => {
    // Everybody reads it in the list, also outside of this window.
    const comment = plainText(t("rules-restored", { number: version.number }));
    const published = await run((binding) => commands.rollBackRules(binding, version.number, current.stamp, comment));
    if (published) showStatus(plainText(t("rules-published", { number: published.version.number })));
    return published;
  };
  const failed = query.error && <AdministrationError error={commandError(query.error)} onRetry={() => void query.refetch()} />;
  if (!rows) return failed ?? <LoadingText />;
  return (
    <section aria-labelledby="rule-versions" className="flex flex-col gap-2">
      <h3 id="rule-versions" className="font-semibold">
        {t("rules-versions")}
      </h3>
      {failed}
      <ul className="rounded-md border border-line-strong bg-surface">
        {rows.map((version) => (
          <li
            key={version.number}
            className="flex flex-wrap items-center gap-x-4 gap-y-1 border-line border-b px-3 py-1.5 last:border-b-0"
          >
            <span className="font-semibold">
              {version.number === 0 ? t("rules-built-in") : t("rules-version", { number: version.number })}
            </span>
            <span className="min-w-40 flex-1 text-fg-2">
              {version.time && format.dateTime(version.time)}{" "}
              {version.by !== "" && t("tenant-history-by", { by: personOf(version.by) })} <bdi>{version.comment}</bdi>
            </span>
            {version.number === current.number ? (
              <span className="text-fg-2 text-xs">{t("rules-current")}</span>
            ) : (
              <Button
                size="sm"
                aria-label={t("rules-restore-of", { number: version.number })}
                onPress={() => setRestoring(version)}
              >
                {t("rules-restore")}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {end}
      {restoring && (
        <ConfirmChange
          title={t("rules-restore-title", { number: restoring.number })}
          hint={t("rules-restore-hint")}
          confirm={t("rules-restore")}
          subject="rules"
          change={(run) => restore(run, restoring)}
          onClose={() => setRestoring(null)}
        />
      )}
    </section>
  );
}
