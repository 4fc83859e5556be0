/** An error without its texts and actions, for tests of where it is shown: its kind, and the way to try again. */

import type { DescribedErrorProps } from "../DescribedError";

export function ErrorNotice({ error, handlers }: DescribedErrorProps) {
  return (
    <div role="alert">
      {error.kind}
      <button type="button" onClick={handlers?.tryNow}>
        Try now
      </button>
    </div>
  );
}
