/** Modal dialog with a title, a body and actions. Escape and the close button close it. */

import type { ReactNode } from "react";
import { lazyDialog } from "./lazyComponent";

export interface ModalProps {
  title: string;
  isOpen: boolean;
  onClose: () => void;
  /** `alertdialog` for confirmations of irreversible actions. */
  role?: "dialog" | "alertdialog";
  width?: "sm" | "md" | "lg";
  actions?: ReactNode;
  children: ReactNode;
}

/** Its code is loaded when a dialog opens for the first time, or before that while the window is idle. */
export const Modal = lazyDialog<ModalProps>(async () => (await import("./ModalWindow")).ModalWindow);
