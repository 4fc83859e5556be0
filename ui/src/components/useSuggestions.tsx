/**
 * Suggestions under a text field (ARIA combobox with a listbox): letters find, Enter takes the first or the chosen one, Escape and
 * Tab leave the text as it was typed, Shift+Delete forgets the chosen one. One list for the field with the focus, so that a grid of many
 * fields stays light.
 */

import { Undo2, X } from "lucide-react";
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
import { useLocalizer } from "../i18n/LocalizerProvider";
import { announce } from "./announce";
import { useLatest } from "./useLatest";

/** Delay after the last letter before the search. */
const SEARCH_MS = 50;

export interface Suggestion {
  id: string;
  label: ReactNode;
  /** Secondary text behind the label. */
  detail?: ReactNode;
}

/** Takes suggestions out of all lists, and puts them back. */
export interface Forgetting<T> {
  /** Whether it is offered. It is asked while a list is shown, and not by each field. */
  isOffered: () => boolean;
  /** Resolves with what was found, as it is then; with `null` if that has failed, and was said. */
  set: (found: T, forgotten: boolean) => Promise<T | null>;
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
  forgetting?: Forgetting<T>;
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
  /** The ids of those that were forgotten since. They stay until the list is closed, so that they can be put back. */
  forgotten: readonly string[];
}

export function useSuggestions<T>(options: SuggestionOptions<T>): Suggestions {
  const { input, text, label, minLetters = 2, opensOnArrow = false, isDisabled = false } = options;
  const { t } = useLocalizer();
  const latest = useLatest(options);
  const listId = useId();
  const [found, setFound] = useState<Found<T> | null>(null);
  const [active, setActive] = useState(0);
  /** What was searched last; an answer to anything else is dropped. */
  const searched = useRef<string | null>(null);
  /** Enter was pressed before the answer to what is typed. */
  const enterWaits = useRef(false);
  const isForgetting = useRef(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  const isOpen = found !== null && found.items.length > 0 && !isDisabled;
  const suggestions = isOpen ? found.items.map((each) => latest.current.toSuggestion(each)) : [];
  const canForget = isOpen && options.forgetting?.isOffered() === true;
  const isForgotten = (index: number) => found?.forgotten.includes(suggestions[index]?.id ?? "") === true;

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
  function chooseAt(index: number) {
    const item = found?.items[index];
    if (item !== undefined && !isForgotten(index)) choose(item);
  }
  /** Forgets a suggestion, or takes that back. */
  async function toggleForgotten(index: number) {
    const [item, id] = [found?.items[index], suggestions[index]?.id];
    const { forgetting, toSuggestion } = latest.current;
    if (item === undefined || id === undefined || !forgetting || isForgetting.current) return;
    const forgotten = !isForgotten(index);
    isForgetting.current = true;
    const changed = await forgetting.set(item, forgotten);
    isForgetting.current = false;
    // The list is not what the service has.
    if (changed === null) return close();
    setFound(
      (now) =>
        now && {
          ...now,
          items: now.items.map((each) => (toSuggestion(each).id === id ? changed : each)),
          forgotten: forgotten ? [...now.forgotten, id] : now.forgotten.filter((each) => each !== id),
        },
    );
    announce(t(forgotten ? "suggestion-forgotten" : "suggestion-restored"));
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
    setFound({ of, items, forgotten: [] });
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
    const hasModifier = event.altKey || event.ctrlKey || event.metaKey;
    const isForgetKey = event.key === "Delete" && event.shiftKey && canForget;
    if (hasModifier || (event.shiftKey && !isForgetKey)) return;
    if (isForgetKey) {
      void toggleForgotten(active);
    } else if (event.key === "Enter" && searched.current !== null) {
      // The list is still that of fewer letters.
      enterWaits.current = true;
    } else if (event.key === "Enter" && isOpen) {
      chooseAt(active);
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
                {...(canForget ? { "aria-keyshortcuts": "Shift+Delete" } : {})}
                onPointerDown={(event) => event.preventDefault()}
                onClick={(event) => {
                  const isForget = event.target instanceof Element && event.target.closest("[data-forget]") !== null;
                  if (isForget) void toggleForgotten(index);
                  else chooseAt(index);
                }}
                className="flex min-h-8 items-center gap-3 rounded-sm px-2 py-1 aria-selected:bg-sunken"
              >
                <span className={`min-w-0 flex-1 break-words ${isForgotten(index) ? "text-fg-2 line-through" : ""}`}>
                  {suggestion.label}
                </span>
                {(isForgotten(index) || suggestion.detail !== undefined) && (
                  <span className="shrink-0 text-end text-fg-2 text-xs">
                    {isForgotten(index) ? t("suggestion-forgotten") : suggestion.detail}
                  </span>
                )}
                {canForget && (
                  // An option has no buttons in it. Its key does the same.
                  <span
                    aria-hidden="true"
                    data-forget=""
                    className="-my-1 inline-flex size-7 shrink-0 items-center justify-center rounded-sm text-fg-2 hover:bg-line"
                  >
                    {isForgotten(index) ? <Undo2 size={13} className="mirror-in-rtl" /> : <X size={13} />}
                  </span>
                )}
              </div>
            ))}
          </div>
          {canForget && <p className="border-line border-t px-3 py-1.5 text-fg-2 text-xs">{t("suggestion-forget-hint")}</p>}
        </section>
      </Popover>
    ),
  };
}
