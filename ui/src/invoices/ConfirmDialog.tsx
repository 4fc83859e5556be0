/** Confirmation of an irreversible action, with the organization, the document and the amount. */

import { Button } from "../components/Button";
import { Modal } from "../components/Modal";
import { ErrorNotice } from "../errors/ErrorNotice";
import { RetryNotice } from "../errors/RetryNotice";
import { usePendingRetry } from "../errors/usePendingRetry";
import { ViolationList } from "../errors/ViolationList";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { CommandError, InvoiceView } from "../ipc/bindings";
import { DocumentSummary } from "./DocumentSummary";
import type { LifecycleAction } from "./lifecycleSteps";
import { stepHint } from "./stepHint";

export interface ConfirmDialogProps {
  action: LifecycleAction;
  view: InvoiceView;
  busy: boolean;
  error: CommandError | null;
  onConfirm: () => void;
  /** Opens the form where what was refused can be corrected. */
  onEdit: () => void;
  onClose: () => void;
}

export function ConfirmDialog({ action, view, busy, error, onConfirm, onEdit, onClose }: ConfirmDialogProps) {
  const { t } = useLocalizer();
  const retry = usePendingRetry(["issue_document", "freeze_document"]);
  const { row } = view;
  return (
    <Modal
      title={t(action === "freeze" ? "freeze-title" : "issue-title")}
      role="alertdialog"
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button autoFocus onPress={onClose}>
            {t("cancel")}
          </Button>
          <Button variant={action === "freeze" ? "danger" : "primary"} isBusy={busy} onPress={onConfirm}>
            {action === "freeze" ? t("freeze-confirm") : t("issue-confirm")}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <DocumentSummary document={row} />
        <p>{t(stepHint(action, row.kind))}</p>
        {busy && retry && <RetryNotice retry={retry} variant="card" />}
        {error && (
          <ErrorNotice
            error={error}
            variant="card"
            handlers={{ tryNow: onConfirm, stop: onClose, edit: onEdit }}
            context={row.number === "" ? {} : { number: row.number }}
          >
            <ViolationList error={error} />
          </ErrorNotice>
        )}
      </div>
    </Modal>
  );
}
