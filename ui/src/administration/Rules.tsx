/** The authorization rules: the table role by scope, what a change of it would do, publication, and earlier versions. */

import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { Button } from "../components/Button";
import { TextField } from "../components/Field";
import { LoadingText } from "../components/LoadingText";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { RuleMatrix, RulesCheck, RulesView } from "../ipc/bindings";
import { commandError, commands } from "../ipc/call";
import { withBinding } from "../state/withBinding";
import { useWorkspace } from "../state/workspace";
import { AdministrationError } from "./AdministrationError";
import { CheckResult } from "./CheckResult";
import { RuleTable } from "./RuleTable";
import { RuleVersions } from "./RuleVersions";
import { allowedCells, changedCells, withCell } from "./ruleMatrix";
import { useAdministration } from "./useAdministration";
import { useDiscardQuestion } from "./useDiscardQuestion";

export function Rules() {
  const { organization } = useWorkspace();
  const rules = useQuery({
    queryKey: [organization.id, "rules"],
    queryFn: () => withBinding(organization.id, (binding) => commands.getRules(binding, null)),
    staleTime: 0,
  });
  if (rules.error) return <AdministrationError error={commandError(rules.error)} onRetry={() => void rules.refetch()} />;
  if (!rules.data) return <LoadingText />;
  return (
    <>
      {/* A version that somebody else has published begins a new edit. */}
      <RuleEditor key={rules.data.version.stamp} rules={rules.data} />
      <RuleVersions current={rules.data.version} />
    </>
  );
}

function RuleEditor({ rules }: { rules: RulesView }) {
  const { t } = useLocalizer();
  const write = useAdministration("rules");
  const [matrix, setMatrix] = useState<RuleMatrix>(rules.matrix);
  const [check, setCheck] = useState<RulesCheck | null>(null);
  const [comment, setComment] = useState("");
  const before = useMemo(() => allowedCells(rules.matrix, rules.groups), [rules]);
  const cells = useMemo(() => allowedCells(matrix, rules.groups), [matrix, rules.groups]);
  const changed = changedCells(before, cells);
  const edit = (next: RuleMatrix) => {
    setMatrix(next);
    setCheck(null);
    write.clearError();
  };
  const publish = async () => {
    await write.run((binding) => commands.publishRules(binding, matrix, rules.version.stamp, comment.trim()));
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
        onCell={(role, scope, allowed) => edit(withCell(matrix, rules.groups, role, scope, allowed))}
      />
      <div className="flex flex-wrap items-center gap-3">
        <p role="status" className="flex-1">
          {t("rules-changed", { count: changed.size })}
        </p>
        <Button isDisabled={changed.size === 0} onPress={() => edit(rules.matrix)}>
          {t("rules-discard")}
        </Button>
        <Button
          variant={check?.publishable ? "secondary" : "primary"}
          isDisabled={changed.size === 0 || write.busy}
          onPress={() => void write.run((binding) => commands.checkRules(binding, matrix)).then((made) => made && setCheck(made))}
        >
          {t("rules-check")}
        </Button>
      </div>
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
