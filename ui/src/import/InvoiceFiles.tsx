/** Takes invoice files of other programs: dropped on the window, pasted, or chosen. They are read one after the other. */

import { type ReactNode, Suspense, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { keepFocus } from "../components/keepFocus";
import { lazyComponent } from "../components/lazyComponent";
import { useDialogOpen } from "../components/openDialogs";
import { useShortcut } from "../components/shortcuts";
import { call, commandError, commands } from "../ipc/call";
import { useSnapshot } from "../state/snapshotStore";
import { InvoiceFilesContext } from "./invoiceFilesContext";
import { type FileSource, fromBase64 } from "./readFile";

const FileDropTarget = lazyComponent(async () => (await import("./FileDropTarget")).FileDropTarget);
const InvoiceFileDialog = lazyComponent(async () => (await import("./InvoiceFileDialog")).InvoiceFileDialog);

/** Files that are read one after the other. */
interface Queue {
  /** The one in the dialog, or the next one, first. */
  files: readonly FileSource[];
  /** How many of them were read before. */
  done: number;
  /** Whether the dialog is open. It closes for the work on a draft, and the others wait. */
  shown: boolean;
}

export function InvoiceFiles({ children }: { children: ReactNode }) {
  const [queue, setQueue] = useState<Queue>({ files: [], done: 0, shown: false });
  const input = useRef<HTMLInputElement>(null);
  const open = useCallback((list: Iterable<FileSource>) => {
    const opened = [...list];
    // Those that were left come after the new ones.
    if (opened.length > 0) setQueue(({ files }) => ({ files: [...opened, ...files], done: 0, shown: true }));
  }, []);
  const finish = (shown: boolean) => {
    setQueue(({ files, done }) => ({ files: files.slice(1), done: done + 1, shown }));
    // The button that opened the dialog may have gone with the last file.
    if (!shown) keepFocus(() => document.querySelector<HTMLElement>("main"));
  };
  const choose = useCallback(() => input.current?.click(), []);
  // Files that the system opens with this program come one by one, after the dialog of the one before.
  const waiting = useSnapshot()?.openedFiles ?? 0;
  const dialogOpen = useDialogOpen();
  const idle = !queue.shown && !dialogOpen;
  useEffect(() => {
    if (waiting === 0 || !idle) return;
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
  const { files, done, shown } = queue;
  const context = useMemo(
    () => ({
      choose,
      unopened: shown ? [] : files,
      openNext: () => setQueue((before) => ({ ...before, shown: true })),
      forget: () => setQueue({ files: [], done: 0, shown: false }),
    }),
    [choose, files, shown],
  );
  useShortcut("importFile", choose);

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
      <Suspense>
        <FileDropTarget onOpen={open} />
      </Suspense>
      {shown && file && (
        <Suspense>
          <InvoiceFileDialog
            key={done}
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
