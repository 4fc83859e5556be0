/** The preferences, which the core stores. */

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import type { Preferences } from "../ipc/bindings";
import { call, commands } from "../ipc/call";

const KEY = ["preferences"] as const;

/** The preferences with every field. */
export type AllPreferences = Required<Preferences>;

export const defaultPreferences: AllPreferences = {
  language: null,
  theme: "system",
  digits: "latin",
  calendar: "gregorian",
  currency: "code",
  density: "comfortable",
  zoom: 100,
  shortcuts: {},
};

/** The preferences (the defaults until they are read) and a function that changes some of them. */
export function usePreferences(): {
  preferences: AllPreferences;
  ready: boolean;
  change: (part: Partial<AllPreferences>) => void;
} {
  const client = useQueryClient();
  const query = useQuery({ queryKey: KEY, queryFn: readPreferences });
  const preferences = query.data ?? defaultPreferences;
  const change = useCallback(
    (part: Partial<AllPreferences>) => {
      const next = { ...(client.getQueryData<AllPreferences>(KEY) ?? defaultPreferences), ...part };
      // The change applies at once. If it cannot be stored, it lasts until the window closes.
      client.setQueryData(KEY, next);
      void call(commands.savePreferences(next)).catch(() => undefined);
    },
    [client],
  );
  return { preferences, ready: !query.isPending, change };
}

async function readPreferences(): Promise<AllPreferences> {
  return { ...defaultPreferences, ...(await call(commands.preferences())) };
}
