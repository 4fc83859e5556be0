/** Why the disk keeps a bulk run from saving files: what is safe, and what leads on. */

import { Notice, type NoticeVariant } from "../errors/Notice";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { BulkRun } from "../ipc/bindings";

export function SavingProblem({ run, variant }: { run: BulkRun; variant: NoticeVariant }) {
  const { t } = useLocalizer();
  const problem = savingProblem(run);
  return problem && <Notice severity="error" variant={variant} text={t(`bulk-save-problem-${problem}`)} />;
}

/** The words of the table of errors are about what was typed. */
export function savingProblem({ folder, error }: BulkRun) {
  return folder !== null && error?.kind === "notSaved" ? error.problem : null;
}
