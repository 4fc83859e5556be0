/** Asks before an attachment is removed: the service does not keep its content. */

import { useState } from "react";
import { Button } from "../components/Button";
import { Modal } from "../components/Modal";
import { useLocalizer } from "../i18n/LocalizerProvider";

export interface RemoveAttachmentDialogProps {
  name: string;
  onConfirm: () => Promise<void>;
  onClose: () => void;
}

export function RemoveAttachmentDialog({ name, onConfirm, onClose }: RemoveAttachmentDialogProps) {
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
        <p>{t("attachment-remove-hint")}</p>
      </div>
    </Modal>
  );
}
