/** Switches the window to another organization, after all changes are saved. */

import { useCallback, useState } from "react";
import type { CommandError } from "../ipc/bindings";
import { call, commandError, commands } from "../ipc/call";
import { useNavigation } from "../state/navigation";
import { adoptBinding } from "../state/snapshotStore";
import { useWorkspace } from "../state/workspace";

export interface OrganizationSwitch {
  switchTo: (organization: string) => Promise<boolean>;
  error: CommandError | null;
}

/** `onError` is for a place that does not show `error`. */
export function useSwitchOrganization(onError?: (error: CommandError) => void): OrganizationSwitch {
  const { flushAutosaves } = useNavigation();
  const { binding } = useWorkspace();
  const [error, setError] = useState<CommandError | null>(null);
  const switchTo = useCallback(
    async (organization: string) => {
      setError(null);
      if (organization === binding.organization) return true;
      try {
        await flushAutosaves();
        adoptBinding(await call(commands.switchOrganization(organization)));
        return true;
      } catch (thrown) {
        setError(commandError(thrown));
        onError?.(commandError(thrown));
        return false;
      }
    },
    [flushAutosaves, binding.organization, onError],
  );
  return { switchTo, error };
}
