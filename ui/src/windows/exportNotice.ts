/** What is told of the end of an export. */

import type { Localizer } from "../i18n/localizer";
import type { Export } from "../ipc/bindings";

/** `null` tells nothing: its author has cancelled it. */
export function exportNotice({ state, rows }: Pick<Export, "state" | "rows">, { t }: Pick<Localizer, "t">): string | null {
  if (state === "cancelled") return null;
  if (state === "failed") return t("notice-export-failed");
  return rows === null ? t("notice-exported-uncounted") : t("notice-exported", { count: rows });
}
