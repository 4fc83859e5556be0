/** What an environment is called on screens. */

import type { EnvironmentView } from "../ipc/bindings";
import type { Localizer } from "./localizer";

/** The embedded one has a name in both languages; others keep their own. */
export function environmentName(environment: EnvironmentView, { t }: Localizer): string {
  return environment.kind === "local" ? t("environment-local") : environment.name;
}

/** The host that a person would recognise; empty while the embedded one has not started. */
export function environmentHost(environment: EnvironmentView): string {
  try {
    return new URL(environment.authUrl).host;
  } catch {
    return environment.authUrl;
  }
}
