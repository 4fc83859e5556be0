/** Asks before a view with changes that are kept nowhere is left. */

import { type ReactNode, useEffect, useState } from "react";
import { Button } from "../components/Button";
import { Modal } from "../components/Modal";
import { useLatest } from "../components/useLatest";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { LeaveDeclined, useNavigation } from "../state/navigation";

interface Leave {
  discard: () => void;
  stay: () => void;
}

/** The question, while it is asked. `changed`: whether there is anything to lose. */
export function useDiscardQuestion(changed: boolean): ReactNode {
  const { t } = useLocalizer();
  const { registerAutosave } = useNavigation();
  const [leave, setLeave] = useState<Leave | null>(null);
  const changedNow = useLatest(changed);
  useEffect(
    () =>
      registerAutosave(() => {
        if (!changedNow.current) return Promise.resolve();
        return new Promise<void>((resolve, reject) =>
          setLeave({ discard: resolve, stay: () => reject(new LeaveDeclined("the changes are kept")) }),
        );
      }),
    [registerAutosave, changedNow],
  );
  // A web view that is unloaded, as on a reload, shows a question of its own.
  useEffect(() => {
    if (!changed) return;
    const onUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", onUnload);
    return () => window.removeEventListener("beforeunload", onUnload);
  }, [changed]);
  const answer = (choice: keyof Leave) => {
    leave?.[choice]();
    setLeave(null);
  };
  return (
    <Modal
      title={t("form-discard-question")}
      role="alertdialog"
      isOpen={leave !== null}
      onClose={() => answer("stay")}
      actions={
        <>
          <Button autoFocus onPress={() => answer("stay")}>
            {t("form-keep")}
          </Button>
          <Button variant="danger" onPress={() => answer("discard")}>
            {t("form-discard")}
          </Button>
        </>
      }
    >
      <p>{t("rules-unpublished")}</p>
    </Modal>
  );
}
