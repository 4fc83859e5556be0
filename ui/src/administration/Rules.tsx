/** The authorization rules: the table role by scope, what a change of it would do, publication, and earlier versions. */

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo, useRef, useState } from "react";
import { announce } from "../components/announce";
import { Button } from "../components/Button";
import { TextField } from "../components/Field";
import { LoadingText } from "../components/LoadingText";
import { showStatus } from "../components/statusMessage";
import { useAnnouncement } from "../components/useAnnouncement";
import { useFocusAfterRemoval } from "../components/useFocusAfterRemoval";
import { useLatest } from "../components/useLatest";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { plainText } from "../i18n/localizer";
import type { RuleEdit, RuleEdits, RulesCheck, RulesView } from "../ipc/bindings";
import { commandError, commands } from "../ipc/call";
import { setAnswer } from "../queries/setAnswer";
import { withBinding } from "../state/withBinding";
import { useWorkspace } from "../state/workspace";
import { AdministrationError } from "./AdministrationError";
import { CheckResult, resultText } from "./CheckResult";
import { RuleTable } from "./RuleTable";
import { RuleVersions } from "./RuleVersions";
import { allowedCells, changedCells, editedMatrix, editsByCell, editsSince, withEdit } from "./ruleMatrix";
import { useAdministration } from "./useAdministration";
import { noEdits, useRuleEdits } from "./useRuleEdits";

function rulesKey(organization: string) {
  return [organization, "rules"] as const;
}

export function Rules() {
  const { organization } = useWorkspace();
  const rules = useQuery({
    queryKey: rulesKey(organization.id),
    queryFn: () => withBinding(organization.id, (binding) => commands.getRules(binding, null)),
    staleTime: 0,
  });
  const { kept, keep, error, retry } = useRuleEdits();
  const failed = rules.error && <AdministrationError error={commandError(rules.error)} onRetry={() => void rules.refetch()} />;
  // Without those that are kept, the first edit would take their place.
  if (!kept && error) return <AdministrationError error={error} onRetry={retry} />;
  if (!rules.data || !kept) return failed ?? <LoadingText />;
  return (
    <>
      {/* What is edited stays beside it. */}
      {failed}
      <RuleEditor rules={rules.data} kept={kept} onKeep={keep} />
      {error && <AdministrationError error={error} />}
      <RuleVersions current={rules.data.version} />
    </>
  );
}

interface RuleEditorProps {
  rules: RulesView;
  /** What it begins with. */
  kept: RuleEdits;
  onKeep: (edits: RuleEdits) => void;
}

function RuleEditor({ rules, kept, onKeep }: RuleEditorProps) {
  const { t } = useLocalizer();
  const client = useQueryClient();
  const { organization } = useWorkspace();
  const write = useAdministration("rules");
  // Edits, and not the edited rules: they stay when somebody else publishes a version.
  const [wanted, setWanted] = useState(kept);
  const edits = useMemo(() => editsByCell(wanted.cells), [wanted.cells]);
  const latest = useLatest(wanted);
  const [checked, setChecked] = useState<{ check: RulesCheck; stamp: string; cells: readonly RuleEdit[] } | null>(null);
  const status = useRef<HTMLParagraphElement>(null);
  const actions = useRef<HTMLDivElement>(null);
  // The button that publishes goes with the check.
  useFocusAfterRemoval(actions, () => status.current);
  const before = useMemo(() => allowedCells(rules.matrix, rules.groups), [rules]);
  const matrix = useMemo(() => editedMatrix(rules, edits), [rules, edits]);
  const cells = useMemo(() => allowedCells(matrix, rules.groups), [matrix, rules.groups]);
  const changed = changedCells(before, cells);
  // A check is of the version and of the changes that it was made with, also if it ends after another change.
  const check = checked?.stamp === rules.version.stamp && checked.cells === wanted.cells ? checked.check : null;
  const onAnotherVersion =
    changed.size > 0 && wanted.stamp !== rules.version.stamp
      ? t("rules-on-another-version", { number: rules.version.number })
      : null;
  useAnnouncement(onAnotherVersion);
  const want = (next: RuleEdits) => {
    setWanted(next);
    onKeep(next);
  };
  const edit = (next: RuleEdits) => {
    want(next);
    write.clearError();
  };
  const runCheck = async () => {
    const made = await write.run((binding) => commands.checkRules(binding, matrix));
    if (made === undefined) return;
    setChecked({ check: made, stamp: rules.version.stamp, cells: wanted.cells });
    if (latest.current.cells === wanted.cells) announce(t(resultText(made)));
  };
  const publish = async () => {
    const published = await write.run((binding) =>
      commands.publishRules(binding, matrix, rules.version.stamp, wanted.comment.trim()),
    );
    if (published === undefined) return;
    setAnswer(client, rulesKey(organization.id), published);
    const { number, stamp } = published.version;
    const changedMeanwhile = editsSince(wanted.cells, latest.current.cells);
    want(changedMeanwhile.length === 0 ? noEdits : { ...noEdits, stamp, cells: changedMeanwhile });
    showStatus(plainText(t("rules-published", { number })));
  };
  return (
    <>
      <p className="text-fg-2">{t("rules-hint")}</p>
      <RuleTable
        rules={rules}
        cells={cells}
        changed={changed}
        onCell={(role, scope, allowed) => {
          const next = withEdit(edits, before, { role, scope, allowed });
          edit({ ...wanted, stamp: rules.version.stamp, cells: [...next.values()] });
        }}
      />
      <div ref={actions} className="contents">
        <div className="flex flex-wrap items-center gap-3">
          <p ref={status} role="status" tabIndex={-1} className="flex-1">
            {t("rules-changed", { count: changed.size })}
          </p>
          <Button
            isDisabled={changed.size === 0}
            onPress={() => {
              // The button is disabled then, and would lose the focus.
              status.current?.focus();
              edit(noEdits);
            }}
          >
            {t("rules-discard")}
          </Button>
          <Button
            variant={check?.publishable ? "secondary" : "primary"}
            isDisabled={changed.size === 0}
            isBusy={write.busy}
            onPress={() => void runCheck()}
          >
            {t("rules-check")}
          </Button>
        </div>
        {onAnotherVersion && <p className="rounded-md bg-warning-soft px-3 py-2">{onAnotherVersion}</p>}
        {write.error && <AdministrationError error={write.error} />}
        {check && (
          <CheckResult check={check}>
            {check.publishable && (
              <div className="flex flex-wrap items-end gap-3">
                <div className="min-w-48 flex-1">
                  <TextField
                    label={t("rules-comment")}
                    value={wanted.comment}
                    onChange={(comment) => want({ ...wanted, comment })}
                  />
                </div>
                <Button variant="primary" isBusy={write.busy} onPress={() => void publish()}>
                  {t("rules-publish")}
                </Button>
              </div>
            )}
          </CheckResult>
        )}
      </div>
    </>
  );
}
