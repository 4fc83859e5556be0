/** The progress of a bulk run as a bar. */

import { useLocalizer } from "../i18n/LocalizerProvider";
import type { BulkRun } from "../ipc/bindings";
import { actionTexts } from "./actionTexts";

export function BulkProgress({ run }: { run: BulkRun }) {
  const { t } = useLocalizer();
  const value = run.state === "collecting" ? run.collected : run.done + run.failed;
  return (
    <progress
      aria-label={t(actionTexts[run.action].title)}
      value={Math.min(value, run.plan.count)}
      max={Math.max(1, run.plan.count)}
      className="bulk-progress w-full"
    />
  );
}
