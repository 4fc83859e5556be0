/** The last status message, above the status bar and the sums on it, until it is closed or has been there for a while. */

import { X } from "lucide-react";
import { useEffect, useState } from "react";
import { Button, IconButton } from "../components/Button";
import { keepFocus } from "../components/keepFocus";
import { hideStatus, useStatusText } from "../components/statusMessage";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { useNavigation } from "../state/navigation";
import { useWorkspace } from "../state/workspace";

/** It was read out and asks for nothing. */
const SHOWN_MS = 10_000;

export function StatusMessage() {
  const { t } = useLocalizer();
  const { organization } = useWorkspace();
  const { navigate, openInvoice } = useNavigation();
  const message = useStatusText();
  // Who points at it or has the focus there is still reading.
  const [held, setHeld] = useState(false);
  useEffect(() => {
    // An element that goes hears neither the pointer nor the focus leave it: the next message would stay for good.
    if (!message) setHeld(false);
  }, [message]);
  useEffect(() => {
    if (!message || held) return;
    const timer = setTimeout(hideStatus, SHOWN_MS);
    return () => clearTimeout(timer);
  }, [message, held]);
  if (!message) return null;
  const key = message.document?.organization === organization.id ? message.document.key : null;
  return (
    // It only hears whether somebody is reading it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div
      data-region=""
      role="status"
      // It was read out when it came.
      aria-live="off"
      className="fade-in fixed inset-x-0 bottom-20 short:bottom-7 z-40 mx-auto flex w-fit max-w-[min(36rem,calc(100%-2rem))] items-center gap-2 rounded-md border border-line-strong bg-surface py-1 ps-3 pe-1 shadow-lg"
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <p data-status="" className="min-w-0 text-pretty">
        {message.text}
      </p>
      {key !== null && (
        <Button
          size="sm"
          onPress={() => {
            hideStatus();
            openInvoice(key);
            navigate({ name: "invoices" });
            // A document that is open already does not take the focus, and the button that had it is gone.
            keepFocus(() => document.querySelector<HTMLElement>("aside[data-detail]"));
          }}
        >
          {t("open-document")}
        </Button>
      )}
      <IconButton label={t("close")} icon={<X size={14} aria-hidden="true" />} onPress={hideStatus} />
    </div>
  );
}
