/** The mock of a dialog that Escape closes, by a button. */

import type { ModalProps } from "../Modal";

export function ModalWithEscape({ children, actions, onClose }: ModalProps) {
  return (
    <div>
      {children}
      {actions}
      <button type="button" onClick={onClose}>
        Escape
      </button>
    </div>
  );
}
