/** A question without its texts, for tests of what its answers do: its title, the kind of its error, and two buttons. */

import type { ConfirmChangeProps } from "../ConfirmChange";
import { useAdministration } from "../useAdministration";

export function ConfirmChange({ title, subject, change, onClose }: ConfirmChangeProps) {
  const { error, run } = useAdministration(subject);
  return (
    <div role="alertdialog" aria-label={title}>
      {error && <p role="alert">{error.kind}</p>}
      <button type="button" onClick={() => void change(run).then((done) => done !== undefined && onClose())}>
        Yes
      </button>
      <button type="button" onClick={onClose}>
        No
      </button>
    </div>
  );
}
