/** A dialog without its window, for tests of what is in it: its body, then its actions. */

import type { ModalProps } from "../Modal";

export function Modal({ children, actions }: ModalProps) {
  return (
    <div>
      {children}
      {actions}
    </div>
  );
}
