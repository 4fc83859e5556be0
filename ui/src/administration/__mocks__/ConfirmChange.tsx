/** A question without its texts, for tests of what its answers do: its title, the kind of its error, and two buttons. */

import type { ConfirmChange as Question } from "../ConfirmChange";

export function ConfirmChange({ title, error, onConfirm, onClose }: Parameters<typeof Question>[0]) {
  return (
    <div role="alertdialog" aria-label={title}>
      {error && <p role="alert">{error.kind}</p>}
      <button type="button" onClick={onConfirm}>
        Yes
      </button>
      <button type="button" onClick={onClose}>
        No
      </button>
    </div>
  );
}
