/** The paper beside the form: a pane in a wide window, a dialog in another. */

import { PanelRightClose } from "lucide-react";
import { Suspense, useEffect, useState } from "react";
import { IconButton } from "../components/Button";
import { lazyComponent } from "../components/lazyComponent";
import { Modal } from "../components/Modal";
import { useShortcut } from "../components/shortcuts";
import { useMediaQuery } from "../components/useMediaQuery";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { Draft } from "../ipc/bindings";
import { choosePaper, usePaperChoices } from "./paperChoices";
import { removePrintSheet } from "./printSheet";

const DraftPaper = lazyComponent(async () => (await import("./DraftPaper")).DraftPaper);

export function PaperBesideForm({ draft }: { draft: Draft }) {
  const { t } = useLocalizer();
  const isWide = useMediaQuery("(min-width: 1300px)");
  const { beside } = usePaperChoices();
  const [isOpen, setOpen] = useState(false);
  useEffect(() => removePrintSheet, []);
  const show = () => {
    if (isWide) choosePaper({ beside: !beside });
    else setOpen(true);
  };
  useShortcut("paper", show);
  // What is printed is shown first; the same key prints it then.
  useShortcut("print", show, !(isWide ? beside : isOpen));
  if (isWide) {
    if (!beside) return null;
    return (
      <aside aria-label={t("paper")} className="paper-beside flex shrink-0 flex-col border-line border-s bg-canvas">
        <Suspense>
          <DraftPaper draft={draft}>
            <IconButton
              label={t("paper-hide")}
              icon={<PanelRightClose size={16} aria-hidden="true" className="mirror-in-rtl" />}
              onPress={() => choosePaper({ beside: false })}
            />
          </DraftPaper>
        </Suspense>
      </aside>
    );
  }
  if (!isOpen) return null;
  return (
    <Modal title={t("paper")} isOpen width="lg" onClose={() => setOpen(false)}>
      <div className="paper-dialog flex flex-col">
        <Suspense>
          <DraftPaper draft={draft} />
        </Suspense>
      </div>
    </Modal>
  );
}
