/** Takes the files and texts of invoices that are dropped on the window or pasted into it. */

import { FileInput } from "lucide-react";
import { useEffect, useState } from "react";
import { takesFiles } from "../attachments/acceptsFiles";
import { isDialogOpen } from "../components/openDialogs";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { looksLikeInvoice } from "./looksLikeInvoice";

export function FileDropTarget({ onOpen: open }: { onOpen: (files: Iterable<File>) => void }) {
  const { t } = useLocalizer();
  const [dragging, setDragging] = useState(false);
  useEffect(() => {
    const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes("Files") === true;
    const over = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      // Otherwise the web view would open the file in the place of the application.
      event.preventDefault();
      if (takesFiles(event.target)) {
        setDragging(false);
        return;
      }
      if (isDialogOpen()) {
        if (event.dataTransfer) event.dataTransfer.dropEffect = "none";
        return;
      }
      setDragging(true);
    };
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) setDragging(false);
    };
    const drop = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setDragging(false);
      if (!isDialogOpen() && !takesFiles(event.target)) open(event.dataTransfer?.files ?? []);
    };
    const paste = (event: ClipboardEvent) => {
      if (isDialogOpen() || !event.clipboardData) return;
      const pasted = event.clipboardData.files;
      if (pasted.length > 0) {
        if (takesFiles(event.target)) return;
        event.preventDefault();
        open(pasted);
        return;
      }
      const text = event.clipboardData.getData("text/plain");
      if (!looksLikeInvoice(text)) return;
      event.preventDefault();
      event.stopPropagation();
      open([new File([text], t("import-clipboard"), { type: "application/xml" })]);
    };
    window.addEventListener("dragover", over);
    window.addEventListener("dragleave", leave);
    window.addEventListener("drop", drop);
    window.addEventListener("paste", paste, { capture: true });
    return () => {
      window.removeEventListener("dragover", over);
      window.removeEventListener("dragleave", leave);
      window.removeEventListener("drop", drop);
      window.removeEventListener("paste", paste, { capture: true });
    };
  }, [open, t]);
  if (!dragging) return null;
  return (
    <div className="pointer-events-none fixed inset-0 z-30 flex items-center justify-center bg-scrim p-6">
      <p className="flex items-center gap-3 rounded-lg border border-line-strong bg-surface px-5 py-4 font-semibold text-md">
        <FileInput size={20} aria-hidden="true" className="text-accent" />
        {t("import-drop")}
      </p>
    </div>
  );
}
