/** Whether what is typed is safe on this computer. */

import { Check, CircleAlert } from "lucide-react";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { SaveState } from "./autosave";

export function SaveStatus({ saveState }: { saveState: SaveState }) {
  const { t } = useLocalizer();
  if (saveState.state === "failed") {
    return (
      <span className="inline-flex items-center gap-1 text-danger text-xs">
        <CircleAlert size={13} aria-hidden="true" />
        {t("not-kept")}
      </span>
    );
  }
  // 'Keeping' lasts a few milliseconds at every key: a mark that flickers says nothing.
  return (
    <span className="inline-flex items-center gap-1 text-ink-2 text-xs">
      <Check size={13} aria-hidden="true" className="text-good" />
      {t("kept")}
    </span>
  );
}
