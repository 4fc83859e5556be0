/** The details of the own organization, which its documents state about the seller. */

import { useQuery } from "@tanstack/react-query";
import { Fragment, useState } from "react";
import { Button } from "../components/Button";
import { LoadingText } from "../components/LoadingText";
import { countryName } from "../editor/codeLists";
import { Notice } from "../errors/Notice";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { Localizer } from "../i18n/localizer";
import type { TenantView } from "../ipc/bindings";
import { commandError } from "../ipc/call";
import { useWorkspace } from "../state/workspace";
import { AdministrationError } from "./AdministrationError";
import { ownTenantQuery } from "./administrationQueries";
import { OwnTenantDialog } from "./OwnTenantDialog";
import { ADDRESS, hasRegistrationNumber, isIncomplete, malformedDetails, registrationNumberText } from "./sellerDetails";

/** Labels and texts, in the order of the form. */
function rowsOf({ fields, country }: TenantView, localizer: Localizer): [string, string][] {
  const { t } = localizer;
  const number = registrationNumberText(fields.registrationNumber, localizer);
  return [
    [t("tenant-name"), fields.name],
    [t("tenant-name-ar"), fields.nameAr],
    [t("tenant-tax-id"), fields.taxId],
    ...(hasRegistrationNumber(country) ? [[t("tenant-registration-number"), number] satisfies [string, string]] : []),
    ...ADDRESS.map(([part, label]): [string, string] => [t(label), fields.address[part]]),
    [t("tenant-country"), country === "" ? "" : countryName(localizer, country)],
  ];
}

export function OwnTenant() {
  const localizer = useLocalizer();
  const { t } = localizer;
  const { organization } = useWorkspace();
  const [changing, setChanging] = useState(false);
  const { data: tenant, error, refetch } = useQuery(ownTenantQuery(organization.id));
  // What was read before stays, with a form that is open: the details are read again after each attempt to change them.
  const problem = error && <AdministrationError error={commandError(error)} onRetry={() => void refetch()} />;
  if (!tenant) return problem ?? <LoadingText />;
  const malformed = [...malformedDetails(tenant.fields, tenant.country).values()].map((message) => t(message)).join(" ");
  return (
    <div className="flex max-w-140 flex-col gap-5">
      {problem}
      {isIncomplete(tenant) && <Notice severity="warning" variant="card" text={t("own-tenant-incomplete")} />}
      {malformed !== "" && <Notice severity="warning" variant="card" text={malformed} />}
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] items-baseline gap-x-4 gap-y-1">
        {rowsOf(tenant, localizer).map(([label, text]) => (
          <Fragment key={label}>
            <dt className="text-fg-2">{label}</dt>
            <dd className="break-words">{text === "" ? t("audit-value-none") : <bdi>{text}</bdi>}</dd>
          </Fragment>
        ))}
      </dl>
      <p className="text-fg-2">{t("own-tenant-hint")}</p>
      <div>
        <Button onPress={() => setChanging(true)}>{t("own-tenant-change")}</Button>
      </div>
      {changing && <OwnTenantDialog tenant={tenant} onClose={() => setChanging(false)} />}
    </div>
  );
}
