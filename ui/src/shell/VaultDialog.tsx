/** Dialog that says why the session is not stored in the keyring. It appears once per start. */

import { useState } from "react";
import { Button } from "../components/Button";
import { Modal } from "../components/Modal";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { VaultProblem } from "../ipc/bindings";

export function VaultDialog({ problem, onUnlock }: { problem: VaultProblem; onUnlock: () => void }) {
  const { t } = useLocalizer();
  const [dismissed, setDismissed] = useState(dismissedBefore);
  const close = () => {
    dismissedBefore = true;
    setDismissed(true);
  };
  if (dismissed) return null;
  return (
    <Modal
      title={t(problem === "waiting" ? "vault-title-waiting" : "vault-title")}
      isOpen
      onClose={close}
      actions={
        <>
          <Button onPress={close}>{t("act-continueSession")}</Button>
          {problem === "locked" && (
            <Button
              variant="primary"
              onPress={() => {
                close();
                onUnlock();
              }}
            >
              {t("act-unlock")}
            </Button>
          )}
        </>
      }
    >
      <p>{t(`error-vault-${problem}`)}</p>
    </Modal>
  );
}

/** Module state, so that a switch of the organization does not show the dialog again. */
let dismissedBefore = false;
