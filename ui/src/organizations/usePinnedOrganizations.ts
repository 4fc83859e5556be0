/** Pins an organization on this computer, or unpins it. */

import { showStatus } from "../components/statusMessage";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { CommandError, OrganizationView } from "../ipc/bindings";
import { call, commands } from "../ipc/call";
import { useCommandCalls } from "../ipc/useCommandCalls";

/** `onError` is for a place that does not show `error`. */
export function usePinnedOrganizations(onError?: (error: CommandError) => void) {
  const { t } = useLocalizer();
  const { run, error } = useCommandCalls(onError);
  const toggle = ({ id, name, pinned }: OrganizationView) =>
    run(async () => {
      await call(commands.setOrganizationPinned(id, !pinned));
      showStatus(t(pinned ? "unpinned-announcement" : "pinned-announcement", { organization: name }));
    });
  return { toggle, error };
}
