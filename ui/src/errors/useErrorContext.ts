/** Names for error messages: the organization and the environment that an error concerns. */

import { useMemo } from "react";
import { environmentName } from "../i18n/environmentName";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { CommandError, PendingRetry } from "../ipc/bindings";
import { nameInLanguage } from "../organizations/nameInLanguage";
import { useSnapshot } from "../state/snapshotStore";
import type { ErrorContext } from "./errorRow";
import { supportOf } from "./supportDetails";

const noRetries: readonly PendingRetry[] = [];

function documentNumber(error: CommandError): string {
  return "current" in error ? (error.current?.row.number ?? "") : "";
}

export function useErrorContext(error: CommandError): ErrorContext {
  const snapshot = useSnapshot();
  const localizer = useLocalizer();
  const { t } = localizer;
  const id = supportOf(error)?.organization || snapshot?.binding?.organization;
  const session = snapshot?.session;
  const retries = snapshot?.pendingRetries ?? noRetries;
  return useMemo(() => {
    const organizations = session?.state === "signedIn" ? session.organizations : [];
    const lastAnswer =
      session?.state === "signedIn" && session.connectivity.state === "offline" ? session.connectivity.since : "";
    const environment = session && "environment" in session ? environmentName(session.environment, localizer) : "";
    const organization = organizations.find((each) => each.id === id);
    return {
      organization: (organization && nameInLanguage(organization, localizer).name) ?? id ?? t("this-organization"),
      environment: environment === "" ? t("this-environment") : environment,
      otherOrganizations: organizations.length > 1,
      lastAnswer: lastAnswer === "" ? "" : localizer.format.dateTime(lastAnswer),
      number: documentNumber(error) || t("this-document"),
      fields: "",
      writesWaiting: retries.filter((retry) => retry.write && retry.organization === id).length,
      seconds: 0,
    };
  }, [error, session, retries, id, t, localizer]);
}
