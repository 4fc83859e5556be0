/** The option of a list that is active while the focus stays in the field above it, and the keys that move it (WAI-ARIA APG, "Combobox Pattern"). */

import { type InputHTMLAttributes, type KeyboardEvent, useEffect, useId, useState } from "react";

/** How many rows Page Up and Page Down move. */
const PAGE = 8;

export interface ActiveOption<T> {
  /** `undefined`: there are no options. */
  active: T | undefined;
  /** Makes an option the active one; `null`: the first. */
  activate: (option: T | null) => void;
  optionId: (option: T) => string;
  listId: string;
  /** What the field tells of the list. */
  fieldProps: InputHTMLAttributes<HTMLInputElement>;
  /** Handles the keys of the list. */
  onKeyDown: (event: KeyboardEvent) => void;
}

/** Whether a key is one of an input method, which writes with it. */
export function isComposing({ nativeEvent, keyCode }: KeyboardEvent): boolean {
  return nativeEvent.isComposing || keyCode === 229;
}

export function useActiveOption<T extends { id: string }>(options: readonly T[], onChoose: (option: T) => void): ActiveOption<T> {
  const [activeId, setActiveId] = useState<string | null>(null);
  const listId = useId();
  // The option stays the active one while others arrive; the first is active if it is gone.
  const at = Math.max(
    0,
    options.findIndex(({ id }) => id === activeId),
  );
  const active = options[at];
  const optionId = ({ id }: T) => `${listId}-${id}`;
  const activeElement = active && optionId(active);
  useEffect(() => {
    if (activeElement) document.getElementById(activeElement)?.scrollIntoView({ block: "nearest" });
  }, [activeElement]);

  const move = (to: number) => setActiveId(options[to]?.id ?? null);
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event)) return;
    const last = options.length - 1;
    if (event.key === "ArrowDown") move(at === last ? 0 : at + 1);
    else if (event.key === "ArrowUp") move(at === 0 ? last : at - 1);
    else if (event.key === "PageDown") move(Math.min(last, at + PAGE));
    else if (event.key === "PageUp") move(Math.max(0, at - PAGE));
    else if (event.key === "Enter" && active) onChoose(active);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return {
    active,
    activate: (option) => setActiveId(option?.id ?? null),
    optionId,
    listId,
    fieldProps: {
      role: "combobox",
      "aria-expanded": options.length > 0,
      "aria-controls": listId,
      "aria-activedescendant": activeElement,
      "aria-autocomplete": "list",
      autoComplete: "off",
      spellCheck: false,
    },
    onKeyDown,
  };
}
