/** The printed form of a document of the service, in a dialog. */

import { useCallback } from "react";
import { Modal } from "../components/Modal";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { InvoiceView } from "../ipc/bindings";
import { commands } from "../ipc/call";
import { withBinding } from "../state/withBinding";
import { useWorkspace } from "../state/workspace";
import { PaperView } from "./PaperView";
import { ALL_PAGES, usePaperChoices } from "./paperChoices";
import { TextsWithoutArabic } from "./TextsWithoutArabic";
import { usePrintedPages } from "./usePrintedPages";

const PREVIEW_PAGES = 8;

export interface DocumentPaperProps {
  view: InvoiceView;
  /** Of the seller. */
  country: string;
  onClose: () => void;
}

export function DocumentPaper({ view, country, onClose }: DocumentPaperProps) {
  const { t } = useLocalizer();
  const { organization } = useWorkspace();
  const { language: chosen } = usePaperChoices();
  const { key, stamp } = view.row;
  const { id } = organization;
  const print = useCallback(
    (pages: number) => withBinding(id, (binding) => commands.printDocument(binding, key, stamp, chosen, pages)),
    [id, key, stamp, chosen],
  );
  const preview = useCallback(() => print(PREVIEW_PAGES), [print]);
  const all = useCallback(() => print(ALL_PAGES), [print]);
  const printed = usePrintedPages(preview, 0);
  const title = view.row.number === "" ? t(`kind-${view.row.kind}`) : view.row.number;
  return (
    <Modal title={t("paper-of", { title })} isOpen width="lg" onClose={onClose}>
      <div className="paper-dialog flex flex-col">
        <PaperView
          printed={printed}
          all={all}
          title={title}
          notice={<TextsWithoutArabic content={view.content} country={country} />}
        />
      </div>
    </Modal>
  );
}
