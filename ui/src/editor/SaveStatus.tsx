/** Whether the changes of a draft are saved on this computer. Only these parts are rendered when that changes. */

import { Check, CircleAlert } from "lucide-react";
import { useSyncExternalStore } from "react";
import { ErrorNotice } from "../errors/ErrorNotice";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { CommandError, Draft } from "../ipc/bindings";
import type { Autosave } from "./autosave";

interface SaveStatusProps {
  autosave: Autosave<Draft>;
}

export function SaveStatus({ autosave }: SaveStatusProps) {
  const { t } = useLocalizer();
  const settled = useSyncExternalStore(autosave.subscribe, autosave.isSettled);
  if (useSaveFailure(autosave)) {
    return (
      <span className="inline-flex items-center gap-1 text-danger text-xs">
        <CircleAlert size={13} aria-hidden="true" />
        {t("draft-not-saved")}
      </span>
    );
  }
  // Saving takes a few milliseconds per key: words about it would only flicker. The style sheet hides these until it is true again.
  return (
    <span title={t("draft-saved")} data-waiting={!settled} className="save-status text-fg-2 text-xs">
      <Check size={13} aria-hidden="true" className="text-success" />
      <span>{t("draft-saved")}</span>
    </span>
  );
}

/** Why the last change is not saved, and how to try it again. */
export function SaveFailure({ autosave }: SaveStatusProps) {
  const error = useSaveFailure(autosave);
  if (!error) return null;
  return <ErrorNotice error={error} variant="card" handlers={{ tryNow: () => void autosave.flush().catch(() => undefined) }} />;
}

function useSaveFailure({ subscribe, failure }: Autosave<Draft>): CommandError | null {
  return useSyncExternalStore(subscribe, failure);
}
