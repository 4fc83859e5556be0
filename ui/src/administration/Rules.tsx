/** The authorization rules: the table role by scope, what a change of it would do, publication, and earlier versions. */

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { Button } from "../components/Button";
import { TextField } from "../components/Field";
import { LoadingText } from "../components/LoadingText";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { RulesCheck, RulesView } from "../ipc/bindings";
import { commandError, commands } from "../ipc/call";
import { setAnswer } from "../queries/setAnswer";
import { withBinding } from "../state/withBinding";
import { useWorkspace } from "../state/workspace";
import { AdministrationError } from "./AdministrationError";
import { CheckResult } from "./CheckResult";
import { RuleTable } from "./RuleTable";
import { RuleVersions } from "./RuleVersions";
import { allowedCells, type CellEdits, changedCells, editedMatrix, withEdit } from "./ruleMatrix";
import { useAdministration } from "./useAdministration";
import { useDiscardQuestion } from "./useDiscardQuestion";

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
  const failed = rules.error && <AdministrationError error={commandError(rules.error)} onRetry={() => void rules.refetch()} />;
  if (!rules.data) return failed ?? <LoadingText />;
  return (
    <>
      {/* What is edited stays beside it. */}
      {failed}
      <RuleEditor rules={rules.data} />
      <RuleVersions current={rules.data.version} />
    </>
  );
}

function RuleEditor({ rules }: { rules: RulesView }) {
  const { t } = useLocalizer();
  const client = useQueryClient();
  const { organization } = useWorkspace();
  const write = useAdministration("rules");
  // Edits, and not the edited rules: they stay when somebody else publishes a version.
  const [edits, setEdits] = useState<CellEdits>(new Map());
  const [editedStamp, setEditedStamp] = useState(rules.version.stamp);
  const [checked, setChecked] = useState<{ check: RulesCheck; stamp: string } | null>(null);
  const [comment, setComment] = useState("");
  const before = useMemo(() => allowedCells(rules.matrix, rules.groups), [rules]);
  const matrix = useMemo(() => editedMatrix(rules, edits), [rules, edits]);
  const cells = useMemo(() => allowedCells(matrix, rules.groups), [matrix, rules.groups]);
  const changed = changedCells(before, cells);
  const check = checked?.stamp === rules.version.stamp ? checked.check : null;
  const isOnAnotherVersion = changed.size > 0 && editedStamp !== rules.version.stamp;
  const edit = (next: CellEdits) => {
    setEdits(next);
    setEditedStamp(rules.version.stamp);
    setChecked(null);
    write.clearError();
  };
  const publish = async () => {
    const published = await write.run((binding) => commands.publishRules(binding, matrix, rules.version.stamp, comment.trim()));
    if (published === undefined) return;
    setAnswer(client, rulesKey(organization.id), published);
    setEdits(new Map());
    setComment("");
  };
  const question = useDiscardQuestion(changed.size > 0 || comment.trim() !== "");
  return (
    <>
      {question}
      <p className="text-fg-2">{t("rules-hint")}</p>
      <RuleTable
        rules={rules}
        cells={cells}
        changed={changed}
        onCell={(role, scope, allowed) => edit(withEdit(edits, before, { role, scope, allowed }))}
      />
      <div className="flex flex-wrap items-center gap-3">
        <p role="status" className="flex-1">
          {t("rules-changed", { count: changed.size })}
        </p>
        <Button isDisabled={changed.size === 0} onPress={() => edit(new Map())}>
          {t("rules-discard")}
        </Button>
        <Button
          variant={check?.publishable ? "secondary" : "primary"}
          isDisabled={changed.size === 0 || write.busy}
          onPress={() =>
            void write
              .run((binding) => commands.checkRules(binding, matrix))
              .then((made) => made && setChecked({ check: made, stamp: rules.version.stamp }))
          }
        >
          {t("rules-check")}
        </Button>
      </div>
      {isOnAnotherVersion && (
        <p role="status" className="rounded-md bg-warning-soft px-3 py-2">
          {t("rules-on-another-version", { number: rules.version.number })}
        </p>
      )}
      {write.error && <AdministrationError error={write.error} />}
      {check && (
        <CheckResult check={check}>
          {check.publishable && (
            <div className="flex flex-wrap items-end gap-3">
              <div className="min-w-48 flex-1">
                <TextField label={t("rules-comment")} value={comment} onChange={setComment} />
              </div>
              <Button variant="primary" isDisabled={write.busy} onPress={() => void publish()}>
                {t("rules-publish")}
              </Button>
            </div>
          )}
        </CheckResult>
      )}
    </>
  );
}
