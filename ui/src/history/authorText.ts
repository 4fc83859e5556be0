/** Who has made a change of a document, in words. */

import type { Localizer } from "../i18n/localizer";

/** What the service names the author of what a tax authority has answered, which is no person. */
const AUTHORITY = "tax authority";

export function authorText(by: string, { t }: Localizer): string {
  return by === AUTHORITY ? t("history-by-authority") : by;
}
