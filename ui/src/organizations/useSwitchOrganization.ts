/** Taking the window to another organization: everything typed is kept first, then the core binds the window anew. */

import { useCallback, useState } from "react";
import type { CommandError } from "../ipc/bindings";
import { call, commandError, commands } from "../ipc/call";
import { useNavigation } from "../state/navigation";
import { useWorkspace } from "../state/workspace";

export interface OrganizationSwitch {
  to: (organization: string) => Promise<boolean>;
  error: CommandError | null;
}

export function useSwitchOrganization(): OrganizationSwitch {
  const { flushAutosaves } = useNavigation();
  const { place } = useWorkspace();
  const [error, setError] = useState<CommandError | null>(null);
  const to = useCallback(
    async (organization: string) => {
      setError(null);
      if (organization === place.organization) return true;
      try {
        await flushAutosaves();
        await call(commands.switchOrganization(organization));
        return true;
      } catch (thrown) {
        setError(commandError(thrown));
        return false;
      }
    },
    [flushAutosaves, place.organization],
  );
  return { to, error };
}
