/** Pins an organization on this computer, or unpins it. */

import { useState } from "react";
import { announce } from "../components/announce";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { CommandError, OrganizationView } from "../ipc/bindings";
import { call, commandError, commands } from "../ipc/call";

export function usePinnedOrganizations() {
  const { t } = useLocalizer();
  const [error, setError] = useState<CommandError | null>(null);
  const toggle = async ({ id, name, pinned }: OrganizationView) => {
    setError(null);
    try {
      await call(commands.setOrganizationPinned(id, !pinned));
      announce(t(pinned ? "unpinned-announcement" : "pinned-announcement", { organization: name }));
    } catch (thrown) {
      setError(commandError(thrown));
    }
  };
  return { toggle, error };
}
