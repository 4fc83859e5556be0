/** A form that could not be read. It is a dialog like the form: behind a long list nobody would see it. */

import { Button } from "../components/Button";
import { Modal } from "../components/Modal";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { CommandError } from "../ipc/bindings";
import { AdministrationError } from "./AdministrationError";

export function OpeningErrorDialog({
  title,
  error,
  onRetry,
  onClose,
}: {
  title: string;
  error: CommandError;
  onRetry: () => void;
  onClose: () => void;
}) {
  const { t } = useLocalizer();
  return (
    <Modal
      title={title}
      isOpen
      onClose={onClose}
      actions={
        <Button autoFocus onPress={onClose}>
          {t("close")}
        </Button>
      }
    >
      <AdministrationError error={error} onRetry={onRetry} />
    </Modal>
  );
}
