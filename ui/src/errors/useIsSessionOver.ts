/** Whether an error is that of a session which another one has followed. */

import { useState } from "react";
import type { CommandError } from "../ipc/bindings";
import { useSnapshot } from "../state/snapshotStore";

/**
 * Whether the account has signed in again since the end of its session was shown. A form stays through the sign-in with the error, which
 * asks for what has been done then.
 */
export function useIsSessionOver(error: CommandError): boolean {
  const session = useSnapshot()?.session;
  const rolesAsOf = session?.state === "signedIn" ? session.rolesAsOf : null;
  const ended = error.kind === "sessionEnded" ? error : null;
  const [shown, setShown] = useState({ ended, rolesAsOf });
  if (shown.ended !== ended) setShown({ ended, rolesAsOf });
  return ended !== null && shown.ended === ended && rolesAsOf !== null && shown.rolesAsOf !== rolesAsOf;
}
