/** Takes invoice files of other programs: dropped on the window, pasted, or chosen. They are read one after the other. */

import { type ReactNode, Suspense, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { takesFiles } from "../attachments/acceptsFiles";
import { lazyComponent } from "../components/lazyComponent";
import { isDialogOpen, useDialogOpen } from "../components/openDialogs";
import { useShortcut } from "../components/shortcuts";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { call, commandError, commands } from "../ipc/call";
import { useSnapshot } from "../state/snapshotStore";
import { InvoiceFilesContext } from "./invoiceFilesContext";
import { looksLikeInvoice } from "./looksLikeInvoice";
import { type FileSource, fromBase64 } from "./readFile";

const DropHint = lazyComponent(async () => (await import("./DropHint")).DropHint);
const InvoiceFileDialog = lazyComponent(async () => (await import("./InvoiceFileDialog")).InvoiceFileDialog);

/** Files that are read one after the other. */
interface Queue {
  /** The one in the dialog, or the next one, first. */
  files: readonly FileSource[];
  /** How many of them were read before. */
  done: number;
  /** Whether the dialog is open. It closes for the work on a draft, and the others wait. */
  shown: boolean;
  /** Grows with each change of the first file: a dialog is about one file, whose content it has read. */
  turn: number;
}

export function InvoiceFiles({ children }: { children: ReactNode }) {
  const { t } = useLocalizer();
  const [queue, setQueue] = useState<Queue>({ files: [], done: 0, shown: false, turn: 0 });
  const [dragging, setDragging] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const open = useCallback((list: Iterable<FileSource>) => {
    const opened = [...list];
    // Those that were left come after the new ones.
    if (opened.length === 0) return;
    setQueue(({ files, turn }) => ({ files: [...opened, ...files], done: 0, shown: true, turn: turn + 1 }));
  }, []);
  const finish = (shown: boolean) => {
    setQueue(({ files, done, turn }) => ({ files: files.slice(1), done: done + 1, shown, turn: turn + 1 }));
  };
  const choose = useCallback(() => input.current?.click(), []);
  // Files that the system opens with this program come one by one, after the dialog of the one before.
  const waiting = useSnapshot()?.openedFiles ?? 0;
  const dialogOpen = useDialogOpen();
  const idle = !queue.shown && !dialogOpen;
  useEffect(() => {
    // A dialog that is shown again after another sign-in is counted only after the render.
    if (waiting === 0 || !idle || isDialogOpen()) return;
    const take = async () => {
      try {
        const opened = await call(commands.takeOpenedFile());
        if (opened) open([new File([fromBase64(opened.content)], opened.name)]);
      } catch (thrown) {
        open([commandError(thrown)]);
      }
    };
    void take();
  }, [waiting, idle, open]);
  const { files, done, shown, turn } = queue;
  const context = useMemo(
    () => ({
      choose,
      unopened: shown ? [] : files,
      openNext: () => setQueue((before) => ({ ...before, shown: true })),
      forget: () => setQueue((before) => ({ ...before, files: [], done: 0, shown: false })),
    }),
    [choose, files, shown],
  );
  useShortcut("importFile", choose);

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
      const text = event.clipboardData.getData("text/plain");
      // Spreadsheets put a picture of the cells beside their text.
      const isPicture = ({ type }: File) => text !== "" && type.startsWith("image/");
      const pasted = [...event.clipboardData.files].filter((file) => !isPicture(file));
      if (pasted.length > 0) {
        if (takesFiles(event.target)) return;
        event.preventDefault();
        open(pasted);
        return;
      }
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

  const [file] = files;
  return (
    <InvoiceFilesContext value={context}>
      {children}
      <input
        ref={input}
        type="file"
        multiple
        hidden
        tabIndex={-1}
        aria-hidden="true"
        accept=".xml,.pdf,application/xml,text/xml,application/pdf"
        onChange={(event) => {
          open(event.target.files ?? []);
          // The same file can be chosen again.
          event.target.value = "";
        }}
      />
      {dragging && (
        <Suspense>
          <DropHint />
        </Suspense>
      )}
      {shown && file && (
        <Suspense>
          <InvoiceFileDialog
            key={turn}
            file={file}
            position={done + files.length > 1 ? { index: done + 1, count: done + files.length } : null}
            onNext={files.length > 1 ? () => finish(true) : null}
            onCreated={() => finish(false)}
            onClose={() => finish(false)}
          />
        </Suspense>
      )}
    </InvoiceFilesContext>
  );
}
