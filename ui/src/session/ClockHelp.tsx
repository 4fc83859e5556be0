/** How to set this computer's clock, for each system. */

import { Modal } from "../parts/Modal";
import { useWords } from "../words/WordsProvider";

export function ClockHelp({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { t } = useWords();
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
