/** Names for error messages: the organization and the environment that an error concerns. */

import { useMemo } from "react";
import { environmentName } from "../i18n/environmentName";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { CommandError } from "../ipc/bindings";
import { useSnapshot } from "../state/snapshotStore";
import { supportOf } from "./supportDetails";
import type { ErrorContext } from "./table";

export function useErrorContext(error: CommandError): ErrorContext {
  const snapshot = useSnapshot();
  const localizer = useLocalizer();
  const { t } = localizer;
  const id = supportOf(error)?.organization || snapshot?.binding?.organization;
  const session = snapshot?.session;
  return useMemo(() => {
    const organizations = session?.state === "signedIn" ? session.organizations : [];
    const environment = session && "environment" in session ? environmentName(session.environment, localizer) : "";
    return {
      organization: organizations.find((organization) => organization.id === id)?.name ?? id ?? t("this-organization"),
      environment: environment === "" ? t("this-environment") : environment,
      otherOrganizations: organizations.length > 1,
    };
  }, [session, id, t, localizer]);
}
