/** Display name and host of an environment. */

import type { EnvironmentView } from "../ipc/bindings";
import type { Localizer } from "./localizer";

/** The embedded environment has a localized name; the others have the configured one. */
export function environmentName(environment: EnvironmentView, { t }: Localizer): string {
  return environment.kind === "local" ? t("environment-local") : environment.name;
}

/** The host of the identity provider; empty while the embedded environment has not started. */
export function environmentHost(environment: EnvironmentView): string {
  try {
    return new URL(environment.authUrl).host;
  } catch {
    return environment.authUrl;
  }
}
