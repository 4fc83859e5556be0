/** The preferences, which the core stores. */

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect } from "react";
import { showWindowError } from "../errors/windowError";
import type { Preferences } from "../ipc/bindings";
import { call, commandError, commands } from "../ipc/call";
import { setAnswer } from "../queries/setAnswer";
import { useSnapshot } from "./snapshotStore";

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
      // The change applies at once. If it cannot be stored, it lasts until the window closes.
      setAnswer(client, KEY, { ...(client.getQueryData<AllPreferences>(KEY) ?? defaultPreferences), ...part });
      unsaved = { ...unsaved, ...part };
      saves = saves.then(save);
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
    if (saved !== undefined) void client.invalidateQueries({ queryKey: KEY });
  }, [client, saved]);
}

/** What this window has changed and the core has not stored: there the window knows better. */
let unsaved: Partial<AllPreferences> = {};

/** The last save. They are made one after the other, so that the last change is the one that stays. */
let saves = Promise.resolve();

/** Stores what is unsaved over what is stored by now: another window may have changed something else. */
async function save(): Promise<void> {
  const changed = unsaved;
  try {
    await call(commands.savePreferences(await readPreferences()));
    if (unsaved === changed) unsaved = {};
  } catch (thrown) {
    showWindowError(commandError(thrown));
  }
}

async function readPreferences(): Promise<AllPreferences> {
  const stored = await call(commands.preferences());
  return { ...defaultPreferences, ...stored, ...unsaved };
}
