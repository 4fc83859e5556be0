/** Who changed what of a tenant, newest first. */

import { useQuery } from "@tanstack/react-query";
import { Button } from "../components/Button";
import { Modal } from "../components/Modal";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { commandError, commands } from "../ipc/call";
import { withBinding } from "../state/withBinding";
import { useWorkspace } from "../state/workspace";
import { AdministrationError } from "./AdministrationError";

export function TenantHistoryDialog({ id, name, onClose }: { id: string; name: string; onClose: () => void }) {
  const { t, format } = useLocalizer();
  const { organization } = useWorkspace();
  const history = useQuery({
    queryKey: [organization.id, "tenants", "history", id],
    queryFn: () => withBinding(organization.id, (binding) => commands.tenantHistory(binding, id)),
    staleTime: 0,
  });
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
      {history.error && <AdministrationError error={commandError(history.error)} onRetry={() => void history.refetch()} />}
      {history.data?.length === 0 && <p className="text-fg-2">{t("tenant-history-none")}</p>}
      <ol className="flex flex-col gap-3">
        {history.data?.map((revision) => (
          <li key={revision.revision}>
            <p>
              <span className="font-semibold">{t(`tenant-action-${revision.action}`)}</span>{" "}
              <span className="text-fg-2">
                {format.dateTime(revision.time)} {t("tenant-history-by", { by: revision.by })}
              </span>
            </p>
            <ul className="ps-4 text-xs" dir="ltr">
              {revision.changes.map(({ field, before, after }) => (
                <li key={field}>
                  <code>{field}</code>: <bdi>{before || "—"}</bdi> → <bdi>{after || "—"}</bdi>
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ol>
    </Modal>
  );
}
