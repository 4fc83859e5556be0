/** Saved views and columns of the organization's list, and what is unfolded in its form, which the core stores. */

import { queryOptions, skipToken, useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useRef } from "react";
import type { CommandError, ListSettings } from "../ipc/bindings";
import { commandError, commands } from "../ipc/call";
import { setAnswer } from "../queries/setAnswer";
import { withBinding } from "../state/withBinding";
import { useWorkspace } from "../state/workspace";

/** A column that is dragged changes its width many times a second. */
const SAVE_DELAY_MS = 250;

const none: ListSettings = { views: [], columns: [], unfolded: [] };

function listSettingsQuery(organization: string) {
  return queryOptions({
    queryKey: [organization, "list-settings"] as const,
    queryFn: () => withBinding(organization, (binding) => commands.listSettings(binding)),
  });
}

/** Why the last change was not made or stored. In the cache, so that every part of the window shows the same, and it goes with its account. */
function failureQuery(organization: string) {
  return queryOptions<CommandError | null>({
    queryKey: [organization, "list-settings", "failure"],
    queryFn: skipToken,
  });
}

export interface ListSettingsState {
  settings: ListSettings;
  /**
   * Applies at once, or when the settings are read: `part` makes the change of what they are then. If it cannot be stored, it lasts until the
   * window closes; if they cannot be read, nothing is changed. `error` says so.
   */
  change: (part: (current: ListSettings) => Partial<ListSettings>) => void;
  error: CommandError | null;
}

export function useListSettings(): ListSettingsState {
  const client = useQueryClient();
  const { organization } = useWorkspace();
  const query = useQuery(listSettingsQuery(organization.id));
  const failure = useQuery(failureQuery(organization.id));
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const change = useCallback(
    (part: (current: ListSettings) => Partial<ListSettings>) => {
      const read = listSettingsQuery(organization.id);
      const { queryKey } = read;
      const setError = (error: CommandError | null) => client.setQueryData(failureQuery(organization.id).queryKey, error);
      const apply = () => {
        // As they are now: several changes can wait for one answer.
        const current = client.getQueryData<ListSettings>(queryKey);
        if (!current) return;
        const changed = part(current);
        setAnswer(client, queryKey, { ...current, ...changed });
        clearTimeout(timer.current);
        const delay = changed.columns === undefined ? 0 : SAVE_DELAY_MS;
        timer.current = setTimeout(() => {
          const latest = client.getQueryData<ListSettings>(queryKey);
          // They go with their account, and those of another one must not be replaced.
          if (!latest) return;
          withBinding(organization.id, (binding) => commands.saveListSettings(binding, latest)).then(
            () => setError(null),
            (thrown: unknown) => setError(commandError(thrown)),
          );
        }, delay);
      };
      // All of the settings are saved: what is not read yet would be lost.
      if (client.getQueryData<ListSettings>(queryKey)) apply();
      else client.fetchQuery(read).then(apply, (thrown: unknown) => setError(commandError(thrown)));
    },
    [client, organization.id],
  );
  return { settings: query.data ?? none, change, error: failure.data ?? null };
}
