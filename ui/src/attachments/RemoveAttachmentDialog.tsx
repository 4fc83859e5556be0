/** Asks before an attachment is removed: nobody keeps its content. */

import { useState } from "react";
import { Button } from "../components/Button";
import { Modal } from "../components/Modal";
import { useLocalizer } from "../i18n/LocalizerProvider";

export interface RemoveAttachmentDialogProps {
  name: string;
  /** What is lost, if it is not one that the service has. */
  hint?: string;
  onConfirm: () => Promise<void>;
  onClose: () => void;
}

export function RemoveAttachmentDialog({ name, hint, onConfirm, onClose }: RemoveAttachmentDialogProps) {
  const { t } = useLocalizer();
  const [busy, setBusy] = useState(false);
  return (
    <Modal
      title={t("attachment-remove-title")}
      role="alertdialog"
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button autoFocus onPress={onClose}>
            {t("attachment-keep")}
          </Button>
          <Button
            variant="danger"
            isBusy={busy}
            onPress={() => {
              setBusy(true);
              void onConfirm();
            }}
          >
            {t("attachment-remove")}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3">
        <bdi className="break-words font-semibold">{name}</bdi>
        <p>{hint ?? t("attachment-remove-hint")}</p>
      </div>
    </Modal>
  );
}
