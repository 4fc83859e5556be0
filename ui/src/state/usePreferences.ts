/** The preferences, which the core stores. */

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect } from "react";
import type { Preferences } from "../ipc/bindings";
import { call, commands } from "../ipc/call";
import { setAnswer } from "../queries/setAnswer";
import { useSnapshot } from "./snapshotStore";

const KEY = ["preferences"] as const;

/** How many changes of this window are being saved: until then it knows better than the core. */
let saving = 0;

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
  notifications: "plain",
  paper: { language: null, besideForm: true },
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
      setAnswer(client, KEY, next);
      saving += 1;
      void call(commands.savePreferences(next))
        .catch(() => undefined)
        .finally(() => {
          saving -= 1;
        });
    },
    [client],
  );
  return { preferences, ready: !query.isPending, change };
}

/** Reads the preferences again when another window has changed them. */
export function useSharedPreferences(): void {
  const client = useQueryClient();
  const saved = useSnapshot()?.preferencesSaved;
  useEffect(() => {
    if (saved !== undefined && saving === 0) void client.invalidateQueries({ queryKey: KEY });
  }, [client, saved]);
}

async function readPreferences(): Promise<AllPreferences> {
  return { ...defaultPreferences, ...(await call(commands.preferences())) };
}
