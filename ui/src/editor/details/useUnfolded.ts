/**
 * Which folds of the form are open: those that have or had a mistake, else what the user chose, else those that held something or were left
 * open.
 */

import { useCallback, useState } from "react";
import { useListSettings } from "../../listSettings/useListSettings";

const none: readonly string[] = [];

export interface Unfolded {
  /** To be called while rendering. */
  isOpen: (name: string, errors: number) => boolean;
  setOpen: (name: string, open: boolean) => void;
}

/** `heldAtFirst`: the folds that held something when the form was opened. The choice is kept for the organization (decision 0142). */
export function useUnfolded(heldAtFirst: ReadonlySet<string>): Unfolded {
  const { settings, change } = useListSettings();
  const [chosen, setChosen] = useState<ReadonlyMap<string, boolean>>(new Map());
  const kept = settings.unfolded ?? none;
  const isOpen = (name: string, errors: number) => {
    // It stays open when the mistake is corrected: somebody is typing in it.
    if (errors > 0 && chosen.get(name) !== true) setChosen((before) => new Map(before).set(name, true));
    return errors > 0 || (chosen.get(name) ?? (heldAtFirst.has(name) || kept.includes(name)));
  };
  const setOpen = useCallback(
    (name: string, open: boolean) => {
      setChosen((before) => new Map(before).set(name, open));
      change(({ unfolded = none }) => {
        const others = unfolded.filter((each) => each !== name);
        return { unfolded: open ? [...others, name] : others };
      });
    },
    [change],
  );
  return { isOpen, setOpen };
}
