/** Secrets that the service shows once, each with a button that copies it. They are gone with the dialog, so Escape asks first. */

import { useEffect, useState } from "react";
import { Button } from "../components/Button";
import { CopyIconButton } from "../components/CopyButton";
import { keepFocus } from "../components/keepFocus";
import { Modal } from "../components/Modal";
import { useAnnouncement } from "../components/useAnnouncement";
import { useLocalizer } from "../i18n/LocalizerProvider";

export interface ShownValue {
  label: string;
  value: string;
}

export function SecretDialog({
  title,
  hint,
  values,
  onClose,
}: {
  title: string;
  hint: string;
  values: readonly ShownValue[];
  onClose: () => void;
}) {
  const { t } = useLocalizer();
  const [asking, setAsking] = useState(false);
  const question = asking ? t("secret-close-question") : null;
  useAnnouncement(question);
  // The dialog before it, which had the focus, has gone.
  useEffect(
    () => () => {
      keepFocus(() => document.querySelector<HTMLElement>("[data-administration] button"));
    },
    [],
  );
  return (
    <Modal
      title={title}
      role="alertdialog"
      isOpen
      onClose={() => (asking ? onClose() : setAsking(true))}
      width="md"
      actions={
        <>
          {question !== null && (
            <p role="status" aria-live="off" className="me-auto self-center text-warning">
              {question}
            </p>
          )}
          <Button variant="primary" onPress={onClose}>
            {t("secret-done")}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3">
        <p className="font-semibold">{t("secret-once")}</p>
        <p className="text-fg-2">{hint}</p>
        <dl className="rounded-md border border-line-strong">
          {values.map(({ label, value }, index) => (
            <div key={label} className="border-line border-b px-3 py-2 last:border-b-0">
              <dt className="text-fg-2 text-xs">{label}</dt>
              <dd className="flex items-center gap-3">
                <span data-selectable="" data-secret="" className="min-w-0 flex-1 break-all font-semibold">
                  <bdi dir="ltr">{value}</bdi>
                </span>
                {/* With the focus on the button below, an Enter that was meant for the form before would end the dialog. */}
                <CopyIconButton text={value} label={t("secret-copy", { what: label })} autoFocus={index === 0} />
              </dd>
            </div>
          ))}
        </dl>
      </div>
    </Modal>
  );
}
