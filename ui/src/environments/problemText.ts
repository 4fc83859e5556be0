/** What is wrong with a field of an environment, in words. */

import type { Localizer } from "../i18n/localizer";
import type { EnvironmentProblem } from "../ipc/bindings";

export function problemText({ field, reason, earlier }: EnvironmentProblem, { t }: Localizer): string {
  if (reason === "characters") return t("environment-wrong-characters", { field });
  if (reason === "otherAddresses") {
    const [signIn = "", service = ""] = (earlier ?? "").split(" ");
    return t("environment-wrong-otherAddresses", { signIn, service });
  }
  return t(`environment-wrong-${reason}`);
}
