/** What was done to a document, in words. */

import type { Localizer } from "../i18n/localizer";

const ACTIONS = [
  "created",
  "updated",
  "issued",
  "rejected",
  "frozen",
  "deleted",
  "cleared",
  "reported",
  "accepted",
  "unanswered",
  "attachment_added",
  "attachment_removed",
] as const;

type Action = (typeof ACTIONS)[number];

function isKnown(action: string): action is Action {
  return ACTIONS.some((known) => known === action);
}

/** The action of a history entry. A newer service may have actions that this window does not know. */
export function actionText(action: string, { t }: Localizer): string {
  return isKnown(action) ? t(`history-${action}`) : t("history-other", { action: action.replaceAll("_", " ") });
}
