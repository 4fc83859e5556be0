/** Said once: without the keyring the session lasts only as long as the window. Then a badge in the status bar stays. */

import { useState } from "react";
import { Button } from "../components/Button";
import { Modal } from "../components/Modal";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { VaultTrouble } from "../ipc/bindings";

export function VaultDialog({ trouble, onUnlock }: { trouble: VaultTrouble | null; onUnlock: () => void }) {
  const { t } = useLocalizer();
  const [told, setTold] = useState(dismissedBefore);
  const close = () => {
    dismissedBefore = true;
    setTold(true);
  };
  if (!trouble || told) return null;
  return (
    <Modal
      title={t("vault-title")}
      isOpen
      onClose={close}
      actions={
        <>
          <Button onPress={close}>{t("act-continueSession")}</Button>
          <Button
            tone="primary"
            onPress={() => {
              close();
              onUnlock();
            }}
          >
            {t("act-unlock")}
          </Button>
        </>
      }
    >
      <p>{t(`error-vault-${trouble}`)}</p>
    </Modal>
  );
}

/** Once for each start of the application, whatever organization the window switches to. */
let dismissedBefore = false;
