/** What is wrong with a field of an environment, in words. */

import type { Localizer } from "../i18n/localizer";
import type { EnvironmentProblem } from "../ipc/bindings";

export function problemText({ field, reason }: EnvironmentProblem, { t }: Localizer): string {
  return reason === "characters" ? t("environment-wrong-characters", { field }) : t(`environment-wrong-${reason}`);
}
