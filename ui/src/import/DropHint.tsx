/** What the window says while an invoice file is dragged over it. */

import { FileInput } from "lucide-react";
import { useLocalizer } from "../i18n/LocalizerProvider";

export function DropHint() {
  const { t } = useLocalizer();
  return (
    <div className="pointer-events-none fixed inset-0 z-30 flex items-center justify-center bg-scrim p-6">
      <p className="flex items-center gap-3 rounded-lg border border-line-strong bg-surface px-5 py-4 font-semibold text-md">
        <FileInput size={20} aria-hidden="true" className="text-accent" />
        {t("import-drop")}
      </p>
    </div>
  );
}
