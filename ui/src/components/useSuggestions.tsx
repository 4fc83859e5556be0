/**
 * Suggestions under a text field (ARIA combobox with a listbox): letters find, Enter takes the first or the chosen one, Escape and
 * Tab leave the text as it was typed. One list for the field with the focus, so that a grid of many fields stays light.
 */

import {
  type InputHTMLAttributes,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useId,
  useRef,
  useState,
} from "react";
import { Popover } from "react-aria-components";
import { useLatest } from "./useLatest";

/** Delay after the last letter before the search. */
const SEARCH_MS = 50;

export interface Suggestion {
  id: string;
  label: ReactNode;
  /** Secondary text behind the label. */
  detail?: ReactNode;
}

export interface SuggestionOptions<T> {
  input: RefObject<HTMLInputElement | null>;
  text: string;
  /** Names the list for screen readers. */
  label: string;
  search: (text: string) => Promise<T[]>;
  toSuggestion: (found: T) => Suggestion;
  onChoose: (found: T) => void;
  /** Enter was pressed, and nothing is found. */
  onEnter?: () => void;
  /** Letters from which on something is suggested. */
  minLetters?: number;
  /** Whether the down arrow shows what was used last. */
  opensOnArrow?: boolean;
  isDisabled?: boolean;
}

export interface Suggestions {
  inputProps: InputHTMLAttributes<HTMLInputElement>;
  /** To be called with the text of each input event. */
  onInput: (text: string) => void;
  list: ReactNode;
}

interface Found<T> {
  of: string;
  items: readonly T[];
}

export function useSuggestions<T>(options: SuggestionOptions<T>): Suggestions {
  const { input, text, label, minLetters = 2, opensOnArrow = false, isDisabled = false } = options;
  const latest = useLatest(options);
  const listId = useId();
  const [found, setFound] = useState<Found<T> | null>(null);
  const [active, setActive] = useState(0);
  /** What was searched last; an answer to anything else is dropped. */
  const searched = useRef<string | null>(null);
  /** Enter was pressed before the answer to what is typed. */
  const enterWaits = useRef(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  const isOpen = found !== null && found.items.length > 0 && !isDisabled;
  const suggestions = isOpen ? found.items.map((each) => latest.current.toSuggestion(each)) : [];

  function close() {
    clearTimeout(timer.current);
    searched.current = null;
    enterWaits.current = false;
    setFound(null);
  }
  function choose(item: T) {
    close();
    latest.current.onChoose(item);
  }
  async function run(of: string) {
    let items: T[];
    try {
      items = await latest.current.search(of);
    } catch {
      // Suggestions are an aid: without an answer the text stays what it is.
      items = [];
    }
    if (searched.current !== of) return;
    const waits = enterWaits.current;
    const [first] = items;
    if (waits && first !== undefined) return choose(first);
    if (waits) {
      close();
      latest.current.onEnter?.();
      return;
    }
    searched.current = null;
    setActive(0);
    setFound({ of, items });
  }
  function searchFor(of: string, delay: number) {
    clearTimeout(timer.current);
    enterWaits.current = false;
    searched.current = of;
    timer.current = setTimeout(() => void run(of), delay);
  }
  function onInput(typed: string) {
    const letters = typed.trim();
    if (letters.length < minLetters) close();
    else searchFor(letters, SEARCH_MS);
  }
  function onKeyDown(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing || event.keyCode === 229) return;
    const plain = !event.altKey && !event.ctrlKey && !event.metaKey && !event.shiftKey;
    if (!plain) return;
    if (event.key === "Enter" && searched.current !== null) {
      // The list is still that of fewer letters.
      enterWaits.current = true;
    } else if (event.key === "Enter" && isOpen) {
      const item = found.items[active];
      if (item !== undefined) choose(item);
    } else if (event.key === "ArrowDown" && isOpen) {
      setActive((active + 1) % suggestions.length);
    } else if (event.key === "ArrowUp" && isOpen) {
      setActive((active + suggestions.length - 1) % suggestions.length);
    } else if (event.key === "ArrowDown" && opensOnArrow) {
      searchFor(text.trim(), 0);
    } else if (event.key === "Escape" && (isOpen || searched.current !== null)) {
      close();
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  const optionId = (index: number) => `${listId}-${index}`;
  return {
    onInput,
    inputProps: {
      role: "combobox",
      autoComplete: "off",
      "aria-autocomplete": "list",
      "aria-expanded": isOpen,
      ...(isOpen ? { "aria-controls": listId, "aria-activedescendant": optionId(active) } : {}),
      onKeyDown,
      onBlur: close,
    },
    list: isOpen && (
      <Popover
        isOpen
        isNonModal
        triggerRef={input}
        placement="bottom start"
        onOpenChange={(open) => {
          if (!open) close();
        }}
        className="min-w-(--trigger-width) max-w-[min(30rem,calc(100vw-16px))] rounded-md border border-line-strong bg-surface"
      >
        {/* The popover is outside of the landmarks of the page. */}
        <section aria-label={label}>
          <div id={listId} role="listbox" aria-label={label} className="max-h-80 overflow-y-auto p-1">
            {suggestions.map((suggestion, index) => (
              // The field has the focus and handles the keys.
              // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
              <div
                key={suggestion.id}
                id={optionId(index)}
                role="option"
                aria-selected={index === active}
                tabIndex={-1}
                onPointerDown={(event) => event.preventDefault()}
                onClick={() => {
                  const item = found.items[index];
                  if (item !== undefined) choose(item);
                }}
                className="flex min-h-8 items-center gap-3 rounded-sm px-2 py-1 aria-selected:bg-sunken"
              >
                <span className="min-w-0 flex-1 break-words">{suggestion.label}</span>
                {suggestion.detail !== undefined && (
                  <span className="shrink-0 text-end text-fg-2 text-xs">{suggestion.detail}</span>
                )}
              </div>
            ))}
          </div>
        </section>
      </Popover>
    ),
  };
}
