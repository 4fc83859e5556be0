/** Switches the window to another organization, after all changes are saved. */

import { useCallback } from "react";
import type { CommandError } from "../ipc/bindings";
import { call, commands } from "../ipc/call";
import { useCommandCalls } from "../ipc/useCommandCalls";
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
  const { run, error } = useCommandCalls(onError);
  const switchTo = useCallback(
    (organization: string) =>
      run(async () => {
        if (organization === binding.organization) return;
        await flushAutosaves();
        adoptBinding(await call(commands.switchOrganization(organization)));
      }),
    [run, flushAutosaves, binding.organization],
  );
  return { switchTo, error };
}
