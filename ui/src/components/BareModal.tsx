/** A modal dialog whose title is only read: its body begins with a field of its own. */

import { Modal as AriaModal, Dialog, ModalOverlay } from "react-aria-components";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { ModalProps } from "./Modal";
import { OpenDialogMark } from "./openDialogs";

export function BareModal({ title, isOpen, onClose, children }: Pick<ModalProps, "title" | "isOpen" | "onClose" | "children">) {
  const { direction } = useLocalizer();
  return (
    <ModalOverlay
      isOpen={isOpen}
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      isDismissable
      className="fixed inset-0 z-40 flex items-start justify-center overflow-y-auto bg-scrim p-4 pt-[12vh] max-narrow:p-2"
    >
      <AriaModal className="fade-in w-full max-w-160 rounded-lg border border-line-strong bg-surface">
        <Dialog aria-label={title} dir={direction} className="flex max-h-[72vh] flex-col outline-none">
          <OpenDialogMark />
          {children}
        </Dialog>
      </AriaModal>
    </ModalOverlay>
  );
}
