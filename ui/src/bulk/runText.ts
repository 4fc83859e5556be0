/** What a bulk run is called, and what it has done, in one sentence. */

import type { Localizer } from "../i18n/localizer";
import type { BulkRun } from "../ipc/bindings";
import { timeText } from "../shell/timeText";
import { actionTexts } from "./actionTexts";

/** How many documents have no outcome yet. */
export function leftOf(run: BulkRun): number {
  return Math.max(0, run.plan.count - run.done - run.failed);
}

/** What a run is called, as long as it is there. */
export function runName({ action, plan, started }: BulkRun, { t, format }: Localizer): string {
  const time = timeText(started, format);
  return t(actionTexts[action].name, { count: plan.count, format: action === "saveUbl" ? "UBL" : "PDF", time });
}

export function runText(run: BulkRun, { t, format }: Localizer): string {
  const texts = actionTexts[run.action];
  const folder = run.folder ?? "";
  const done = format.integer(run.done + run.failed);
  const total = format.integer(run.plan.count);
  switch (run.state) {
    case "collecting":
      return t("bulk-collecting", { done: format.integer(run.collected), total });
    case "running":
      return t(texts.running, { folder, done, total });
    case "stopped":
      if (run.changed) return t("bulk-changed", { confirmed: total, found: format.integer(run.changed.count) });
      return t(run.interrupted ? texts.interrupted : texts.stopped, { folder, done, total });
    case "finished":
      return run.failed === 0
        ? t(texts.finished, { folder, count: run.done })
        : t(texts.finishedPartly, { folder, done: format.integer(run.done), failed: format.integer(run.failed) });
  }
}
