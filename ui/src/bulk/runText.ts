/** What a bulk run is called, and what it has done, in one sentence. */

import type { Localizer } from "../i18n/localizer";
import type { BulkRun } from "../ipc/bindings";
import { timeText } from "../shell/timeText";

/** How many documents have no outcome yet. */
export function leftOf(run: BulkRun): number {
  return Math.max(0, run.plan.count - run.done - run.failed);
}

/** What a run is called, as long as it is there. */
export function runName({ action, plan, started }: BulkRun, { t, format }: Localizer): string {
  const count = plan.count;
  return t(action === "issue" ? "bulk-run-issue" : "bulk-run-freeze", { count, time: timeText(started, format) });
}

export function runText(run: BulkRun, { t, format }: Localizer): string {
  const done = format.integer(run.done + run.failed);
  const total = format.integer(run.plan.count);
  const issue = run.action === "issue";
  switch (run.state) {
    case "collecting":
      return t("bulk-collecting", { done: format.integer(run.collected), total });
    case "running":
      return t(issue ? "bulk-issuing" : "bulk-freezing", { done, total });
    case "stopped":
      if (run.changed) return t("bulk-changed", { confirmed: total, found: format.integer(run.changed.count) });
      if (run.interrupted) return t(issue ? "bulk-issue-interrupted" : "bulk-freeze-interrupted", { done, total });
      return t(issue ? "bulk-issue-stopped" : "bulk-freeze-stopped", { done, total });
    case "finished":
      return run.failed === 0
        ? t(issue ? "bulk-issued" : "bulk-frozen", { count: run.done })
        : t(issue ? "bulk-issued-partly" : "bulk-frozen-partly", {
            done: format.integer(run.done),
            failed: format.integer(run.failed),
          });
  }
}
