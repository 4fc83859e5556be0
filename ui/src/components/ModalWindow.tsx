/** The window of a modal dialog; `Modal` loads it. */

import { X } from "lucide-react";
import { Modal as AriaModal, Dialog, Heading, ModalOverlay } from "react-aria-components";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { IconButton } from "./Button";
import type { ModalProps } from "./Modal";
import { OpenDialogMark } from "./openDialogs";

const widths = { sm: "max-w-110", md: "max-w-140", lg: "max-w-200" };

export function ModalWindow({ title, isOpen, onClose, role = "dialog", width = "sm", actions, children }: ModalProps) {
  const { t, direction } = useLocalizer();
  return (
    <ModalOverlay
      isOpen={isOpen}
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      isDismissable={role === "dialog"}
      className="fixed inset-0 z-40 flex items-start justify-center overflow-y-auto bg-scrim p-4 pt-[12vh]"
    >
      <AriaModal className={`fade-in w-full ${widths[width]} rounded-lg border border-line-strong bg-surface`}>
        <Dialog
          role={role}
          dir={direction}
          className="flex max-h-[76vh] max-narrow:max-h-none short:max-h-none flex-col outline-none"
        >
          <OpenDialogMark />
          <header className="flex items-center justify-between gap-3 border-line border-b px-4 py-2.5">
            <Heading slot="title" className="font-semibold text-md">
              {title}
            </Heading>
            <IconButton label={t("close")} icon={<X size={16} aria-hidden="true" />} onPress={onClose} />
          </header>
          {/* What only screen readers have is placed in it: outside of it, the overlay would scroll to the last of it. */}
          <div className="relative min-h-0 flex-1 overflow-y-auto p-4">{children}</div>
          {actions && <footer className="flex flex-wrap justify-end gap-2 border-line border-t px-4 py-3">{actions}</footer>}
        </Dialog>
      </AriaModal>
    </ModalOverlay>
  );
}
