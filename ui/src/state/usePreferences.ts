/** Language, theme and digits, which the core stores. */

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import type { Preferences } from "../ipc/bindings";
import { call, commands } from "../ipc/call";

const KEY = ["preferences"] as const;

export const defaultPreferences: Preferences = { language: null, theme: "system", digits: "latin" };

/** The preferences (the defaults until they are read) and a function that changes some of them. */
export function usePreferences(): { preferences: Preferences; ready: boolean; change: (part: Partial<Preferences>) => void } {
  const client = useQueryClient();
  const query = useQuery({ queryKey: KEY, queryFn: () => call(commands.preferences()) });
  const preferences = query.data ?? defaultPreferences;
  const change = useCallback(
    (part: Partial<Preferences>) => {
      const next = { ...(client.getQueryData<Preferences>(KEY) ?? defaultPreferences), ...part };
      // The change applies at once. If it cannot be stored, it lasts until the window closes.
      client.setQueryData(KEY, next);
      void call(commands.savePreferences(next)).catch(() => undefined);
    },
    [client],
  );
  return { preferences, ready: !query.isPending, change };
}
