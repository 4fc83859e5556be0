/** The size of a file for a person. */

import type { Localizer } from "../i18n/localizer";

const KIBIBYTE = 1024;

/** As `512 KB` or `2 MB`: whole units, rounded up, so that no file is shown smaller than it is. */
export function fileSize(bytes: number, { t, format }: Localizer): string {
  const kibibytes = Math.ceil(bytes / KIBIBYTE);
  if (kibibytes < KIBIBYTE) return t("size-kb", { size: format.integer(kibibytes) });
  return t("size-mb", { size: format.integer(Math.ceil(kibibytes / KIBIBYTE)) });
}
