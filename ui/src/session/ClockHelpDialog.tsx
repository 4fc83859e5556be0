/** How to set the system clock, for each operating system. */

import { Modal } from "../components/Modal";
import { useLocalizer } from "../i18n/LocalizerProvider";

export function ClockHelpDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { t } = useLocalizer();
  return (
    <Modal title={t("clock-title")} isOpen={isOpen} onClose={onClose}>
      <ul className="flex list-disc flex-col gap-2 ps-5">
        <li>{t("clock-windows")}</li>
        <li>{t("clock-mac")}</li>
        <li>{t("clock-linux")}</li>
      </ul>
    </Modal>
  );
}
