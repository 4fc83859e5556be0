/** Whether the changes of a draft are saved on this computer. */

import { Check, CircleAlert } from "lucide-react";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { SaveState } from "./autosave";

export function SaveStatus({ saveState }: { saveState: SaveState }) {
  const { t } = useLocalizer();
  if (saveState.state === "failed") {
    return (
      <span className="inline-flex items-center gap-1 text-danger text-xs">
        <CircleAlert size={13} aria-hidden="true" />
        {t("draft-not-saved")}
      </span>
    );
  }
  // Saving takes a few milliseconds per key: showing that state would only flicker.
  return (
    <span className="inline-flex items-center gap-1 text-fg-2 text-xs">
      <Check size={13} aria-hidden="true" className="text-success" />
      {t("draft-saved")}
    </span>
  );
}
