/** The paper beside the form: a pane in a wide window, a dialog in another. And the button that shows and hides it. */

import { FileText, PanelRightClose } from "lucide-react";
import { Suspense, useEffect, useRef, useState } from "react";
import { IconButton } from "../components/Button";
import { runCommand } from "../components/commands";
import { keepFocus } from "../components/keepFocus";
import { lazyComponent } from "../components/lazyComponent";
import { Modal } from "../components/Modal";
import { ariaKeyShortcuts, keyCaps, useShortcut, useShortcutKeys } from "../components/shortcuts";
import { useMediaQuery } from "../components/useMediaQuery";
import { FIRST_SEGMENT, focusField } from "../editor/fields";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { Draft } from "../ipc/bindings";
import { usePaperChoices } from "./paperChoices";
import { removePrintSheet } from "./printSheet";

const DraftPaper = lazyComponent(async () => (await import("./DraftPaper")).DraftPaper);

/** The sidebar, the columns of the lines and the narrowest pane, as in `paper.css`. */
const WIDE = "(min-width: 1300px)";

/** `country` is that of the seller. */
export function PaperBesideForm({ draft, country }: { draft: Draft; country: string }) {
  const { t } = useLocalizer();
  const isWide = useMediaQuery(WIDE);
  const { besideForm: beside, choose } = usePaperChoices();
  const [isOpen, setOpen] = useState(false);
  // The field that had the focus before it came to the pane.
  const from = useRef<HTMLElement | null>(null);
  useEffect(() => removePrintSheet, []);
  const hide = () => {
    choose({ besideForm: false });
    keepFocus(() => (from.current?.isConnected ? from.current : document.querySelector<HTMLElement>(FIRST_SEGMENT)));
  };
  const goTo = (field: string) => {
    setOpen(false);
    if (field.includes(".description.")) runCommand("twoLanguages");
    // After the dialog has given the focus back, and the field is there.
    requestAnimationFrame(() => requestAnimationFrame(() => focusField(field)));
  };
  const show = () => {
    if (!isWide) setOpen(true);
    else if (beside) hide();
    else choose({ besideForm: true });
  };
  useShortcut("paper", show);
  // What is printed is shown first; the same key prints it then.
  useShortcut("print", show, !(isWide ? beside : isOpen));
  if (isWide) {
    if (!beside) return null;
    return (
      // The pane only hears where the focus comes from.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
      <aside
        aria-label={t("paper")}
        onFocus={({ relatedTarget }) => {
          if (relatedTarget instanceof HTMLElement && relatedTarget.closest("[data-field]")) from.current = relatedTarget;
        }}
        className="paper-beside flex shrink-0 flex-col border-line border-s bg-canvas"
      >
        <Suspense>
          <DraftPaper draft={draft} country={country} onGo={goTo}>
            <IconButton
              label={t("paper-hide")}
              icon={<PanelRightClose size={16} aria-hidden="true" className="mirror-in-rtl" />}
              onPress={hide}
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
          <DraftPaper draft={draft} country={country} onGo={goTo} />
        </Suspense>
      </div>
    </Modal>
  );
}

/** In the header of the form: it does what the key does. */
export function PaperButton() {
  const { t } = useLocalizer();
  const isWide = useMediaQuery(WIDE);
  const { besideForm } = usePaperChoices();
  const keys = useShortcutKeys("paper");
  return (
    <span title={`${t("paper")} (${keyCaps(keys).join("+")})`} className="inline-flex">
      <IconButton
        {...(isWide ? { "aria-pressed": besideForm } : { "aria-haspopup": "dialog" as const })}
        aria-keyshortcuts={ariaKeyShortcuts(keys)}
        label={t("paper")}
        icon={<FileText size={16} aria-hidden="true" />}
        onPress={() => runCommand("paper")}
      />
    </span>
  );
}
