/** Which lines show their rarely used fields, and the shortcuts that are about the line with the focus. */

import { type RefObject, useCallback, useState } from "react";
import { keepFocus } from "../../components/keepFocus";
import { type ShortcutId, useShortcut } from "../../components/shortcuts";
import { useLatest } from "../../components/useLatest";
import type { EditorState } from "../draftReducer";
import { focusField } from "../fields";
import { hasNoLineDetails } from "./detailFields";

/** Up to so many lines with details are open at first. More would hide the lines themselves; what they hold is in their folds. */
const OPEN_AT_FIRST = 3;

export interface LineMoreState {
  isOpen: (index: number) => boolean;
  setOpen: (index: number, open: boolean) => void;
}

export function useLineMore({ draft, lineIds }: EditorState): LineMoreState {
  const [open, setOpened] = useState<ReadonlySet<number>>(() => {
    const held = draft.content.lines.flatMap((line, index) => (hasNoLineDetails(line) ? [] : (lineIds[index] ?? [])));
    return new Set(held.length <= OPEN_AT_FIRST ? held : []);
  });
  const latest = useLatest(lineIds);
  const setOpen = useCallback(
    (index: number, wanted: boolean) => {
      const id = latest.current[index];
      if (id === undefined) return;
      setOpened((before) => {
        const after = new Set(before);
        if (wanted) after.add(id);
        else after.delete(id);
        return after;
      });
      // The fields are rendered after this event, and after a menu has given the focus back.
      if (wanted) requestAnimationFrame(() => requestAnimationFrame(() => focusField(`lines[${index}].details.itemCode`)));
      // An empty fold goes when it is closed: the menu that opens it takes the focus.
      else keepFocus(() => document.querySelector<HTMLElement>(`[data-row="${index}"] .line-actions button`));
    },
    [latest],
  );
  const isOpen = (index: number) => {
    const id = lineIds[index];
    return id !== undefined && open.has(id);
  };
  return { isOpen, setOpen };
}

/** A shortcut about the line with the focus. `action` gets its index, or `null` if the focus is in no line. */
export function useRowShortcut(
  id: ShortcutId,
  within: RefObject<HTMLElement | null>,
  action: (row: number | null) => void,
  enabled = true,
): void {
  const run = () => {
    const row = document.activeElement?.closest<HTMLElement>("[data-row]")?.dataset["row"];
    action(row === undefined ? null : Number(row));
  };
  useShortcut(id, run, enabled, { within });
}
