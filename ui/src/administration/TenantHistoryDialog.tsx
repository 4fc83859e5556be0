/** Who changed what of a tenant, newest first. */

import { Fragment } from "react";
import { Button } from "../components/Button";
import { LoadingText } from "../components/LoadingText";
import { Modal } from "../components/Modal";
import { usePagedList } from "../components/usePagedList";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { commandError, commands } from "../ipc/call";
import { withBinding } from "../state/withBinding";
import { useWorkspace } from "../state/workspace";
import { AdministrationError } from "./AdministrationError";
import { usePersonText } from "./usePersonText";

/** What the form of a tenant calls its fields. */
const fieldNames = {
  name: "tenant-name",
  nameAr: "tenant-name-ar",
  domain: "tenant-domain",
  "profile.currency": "tenant-currency",
  "profile.country": "tenant-country",
  "profile.timeZone": "tenant-time-zone",
  "profile.taxId": "tenant-tax-id",
  "profile.registrationNumber.scheme": "tenant-registration-scheme",
  "profile.registrationNumber.value": "tenant-registration-number",
  "profile.address.building": "tenant-building",
  "profile.address.street": "tenant-street",
  "profile.address.district": "tenant-district",
  "profile.address.city": "tenant-city",
  "profile.address.postalCode": "tenant-postal-code",
} as const;

/** A later version of the service can have others. */
function isNamed(field: string): field is keyof typeof fieldNames {
  return Object.hasOwn(fieldNames, field);
}

export function TenantHistoryDialog({ id, name, onClose }: { id: string; name: string; onClose: () => void }) {
  const { t, format } = useLocalizer();
  const { organization } = useWorkspace();
  const personOf = usePersonText();
  const { query, rows, end } = usePagedList(
    [organization.id, "tenants", "history", id],
    (page) => withBinding(organization.id, (binding) => commands.tenantHistory(binding, id, page)),
    ({ revisions }) => revisions,
  );
  return (
    <Modal
      title={t("tenant-history-title", { name })}
      isOpen
      onClose={onClose}
      width="md"
      actions={
        <Button autoFocus onPress={onClose}>
          {t("close")}
        </Button>
      }
    >
      {query.error && <AdministrationError error={commandError(query.error)} onRetry={() => void query.refetch()} />}
      {query.isPending && <LoadingText />}
      {rows?.length === 0 && <p className="text-fg-2">{t("tenant-history-none")}</p>}
      <ol className="flex flex-col gap-3">
        {rows?.map((revision) => (
          <li key={revision.revision}>
            <p>
              <span className="font-semibold">{t(`tenant-action-${revision.action}`)}</span>{" "}
              <span className="text-fg-2">
                {format.dateTime(revision.time)} {t("tenant-history-by", { by: personOf(revision.by) })}
              </span>
            </p>
            <dl className="grid grid-cols-[auto_minmax(0,1fr)] items-baseline gap-x-4 gap-y-1 ps-4 text-xs">
              {revision.changes.map(({ field, before, after }) => (
                <Fragment key={field}>
                  <dt className="text-fg-2">{isNamed(field) ? t(fieldNames[field]) : <code dir="ltr">{field}</code>}</dt>
                  <dd className="break-words">
                    {t("audit-change", { before: before || t("audit-value-none"), after: after || t("audit-value-none") })}
                  </dd>
                </Fragment>
              ))}
            </dl>
          </li>
        ))}
      </ol>
      {end && <div className="pt-3">{end}</div>}
    </Modal>
  );
}
