/** Pins an organization on this computer, or unpins it. */

import { useState } from "react";
import { showStatus } from "../components/statusMessage";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { CommandError, OrganizationView } from "../ipc/bindings";
import { call, commandError, commands } from "../ipc/call";

/** `onError` is for a place that does not show `error`. */
export function usePinnedOrganizations(onError?: (error: CommandError) => void) {
  const { t } = useLocalizer();
  const [error, setError] = useState<CommandError | null>(null);
  const toggle = async ({ id, name, pinned }: OrganizationView) => {
    setError(null);
    try {
      await call(commands.setOrganizationPinned(id, !pinned));
      showStatus(t(pinned ? "unpinned-announcement" : "pinned-announcement", { organization: name }));
    } catch (thrown) {
      setError(commandError(thrown));
      onError?.(commandError(thrown));
    }
  };
  return { toggle, error };
}
