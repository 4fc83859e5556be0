/** The question before a change that ends something for somebody. */

import { Button } from "../components/Button";
import { Modal } from "../components/Modal";
import { RetryNotice } from "../errors/RetryNotice";
import { usePendingRetry } from "../errors/usePendingRetry";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { CommandError } from "../ipc/bindings";
import { AdministrationError } from "./AdministrationError";
import { RETRIED_WRITES } from "./useAdministration";

export function ConfirmChange({
  title,
  hint,
  confirm,
  busy,
  error,
  onConfirm,
  onClose,
}: {
  title: string;
  hint: string;
  confirm: string;
  busy: boolean;
  error: CommandError | null;
  onConfirm: () => void;
  onClose: () => void;
}) {
  const { t } = useLocalizer();
  // The status bar, where it could be stopped, is behind the dialog.
  const retry = usePendingRetry(RETRIED_WRITES);
  return (
    <Modal
      title={title}
      role="alertdialog"
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button autoFocus onPress={onClose}>
            {t("cancel")}
          </Button>
          <Button variant="danger" isBusy={busy} onPress={onConfirm}>
            {confirm}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3">
        <p>{hint}</p>
        {busy && retry && <RetryNotice retry={retry} variant="card" />}
        {error && <AdministrationError error={error} onRetry={onConfirm} />}
      </div>
    </Modal>
  );
}
