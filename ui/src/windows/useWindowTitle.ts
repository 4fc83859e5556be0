/** The title of the window: its organization and environment, so that windows are told apart in the lists of the system. */

import { useEffect } from "react";
import { environmentName } from "../i18n/environmentName";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { plainText } from "../i18n/localizer";
import type { EnvironmentView, OrganizationView } from "../ipc/bindings";

export function useWindowTitle(organization: OrganizationView | undefined, environment: EnvironmentView): void {
  const localizer = useLocalizer();
  const name = organization?.name;
  useEffect(() => {
    if (name === undefined) return;
    const { t } = localizer;
    document.title = plainText(t("window-title", { organization: name, environment: environmentName(environment, localizer) }));
    return () => {
      document.title = t("product");
    };
  }, [name, environment, localizer]);
}
