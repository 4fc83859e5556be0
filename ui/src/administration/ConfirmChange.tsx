/** The question before a change that ends something for somebody. */

import { Button } from "../components/Button";
import { Modal } from "../components/Modal";
import { RetryNotice } from "../errors/RetryNotice";
import { usePendingRetry } from "../errors/usePendingRetry";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { AdministrationError } from "./AdministrationError";
import { type AdministrationWrite, RETRIED_WRITES, useAdministration } from "./useAdministration";

export interface ConfirmChangeProps {
  title: string;
  hint: string;
  confirm: string;
  /** As that of `useAdministration`. */
  subject: string;
  /** Makes the change. `undefined` leaves the question open, as after an error. */
  change: (run: AdministrationWrite["run"]) => Promise<unknown>;
  onClose: () => void;
}

export function ConfirmChange({ title, hint, confirm, subject, change, onClose }: ConfirmChangeProps) {
  const { t } = useLocalizer();
  // The status bar, where it could be stopped, is behind the dialog.
  const retry = usePendingRetry(RETRIED_WRITES);
  const { busy, error, isShown, run } = useAdministration(subject);
  const answer = async () => {
    if ((await change(run)) !== undefined && isShown.current) onClose();
  };
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
          <Button variant="danger" isBusy={busy} onPress={() => void answer()}>
            {confirm}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3">
        <p>{hint}</p>
        {busy && retry && <RetryNotice retry={retry} variant="card" />}
        {error && <AdministrationError error={error} onRetry={() => void answer()} />}
      </div>
    </Modal>
  );
}
