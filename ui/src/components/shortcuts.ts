/** The table of keyboard shortcuts, which the shortcuts dialog, buttons and key listeners share. */

import { type RefObject, useEffect, useRef } from "react";
import type { MessageId } from "../i18n/localizer";
import { registerCommand } from "./commands";

export interface Shortcut {
  /** As `Mod+Shift+F`. `Mod` is Command on macOS and Control elsewhere. */
  keys: string;
  label: MessageId;
  group: "everywhere" | "list" | "document" | "editor";
}

const mac = /Mac|iPhone|iPad/.test(navigator.platform);

export const shortcuts = {
  palette: { keys: "Mod+K", label: "key-palette", group: "everywhere" },
  search: { keys: "/", label: "key-search", group: "everywhere" },
  switchOrganization: { keys: "Mod+O", label: "key-switch", group: "everywhere" },
  pinnedOrganization: { keys: "Mod+1…9", label: "key-pinned", group: "everywhere" },
  newInvoice: { keys: "Mod+N", label: "key-new", group: "everywhere" },
  language: { keys: "Mod+Shift+L", label: "key-language", group: "everywhere" },
  sheet: { keys: "Mod+/", label: "key-shortcuts", group: "everywhere" },
  move: { keys: "↑ ↓", label: "key-move", group: "list" },
  select: { keys: "Space", label: "key-select", group: "list" },
  extend: { keys: "Shift+↑ ↓", label: "key-extend", group: "list" },
  selectAll: { keys: "Mod+A", label: "key-select-all", group: "list" },
  open: { keys: "Enter", label: "key-open", group: "list" },
  filter: { keys: "Mod+F", label: "key-filter", group: "list" },
  edit: { keys: "F2", label: "key-edit", group: "document" },
  issue: { keys: "Mod+Shift+I", label: "key-issue", group: "document" },
  freeze: { keys: "Mod+Shift+F", label: "key-freeze", group: "document" },
  creditNote: { keys: "Mod+Shift+K", label: "key-credit", group: "document" },
  duplicate: { keys: "Mod+D", label: "key-duplicate", group: "document" },
  close: { keys: "Esc", label: "key-close", group: "document" },
  submit: { keys: "Mod+Enter", label: "key-submit", group: "editor" },
  submitAndIssue: { keys: "Mod+Shift+Enter", label: "key-submit-issue", group: "editor" },
  nextError: { keys: "Mod+J", label: "key-next-error", group: "editor" },
  previousError: { keys: "Mod+Shift+J", label: "key-previous-error", group: "editor" },
  nextSection: { keys: "F6", label: "key-next-section", group: "editor" },
  previousSection: { keys: "Shift+F6", label: "key-previous-section", group: "editor" },
  nextRow: { keys: "Enter", label: "key-next-row", group: "editor" },
  moveLine: { keys: "Alt+↑ ↓", label: "key-move-line", group: "editor" },
  removeLine: { keys: "Mod+Delete", label: "key-remove-line", group: "editor" },
  undo: { keys: "Mod+Z", label: "key-undo", group: "editor" },
  redo: { keys: mac ? "Mod+Shift+Z" : "Mod+Y", label: "key-redo", group: "editor" },
} as const satisfies Record<string, Shortcut>;

export type ShortcutId = keyof typeof shortcuts;

/** The labels of the keys on this platform. */
export function keyCaps(keys: string): string[] {
  return keys.split("+").map((key) => (key === "Mod" ? (mac ? "⌘" : "Ctrl") : key));
}

/** The keys in the syntax of `aria-keyshortcuts`. */
export function ariaKeyShortcuts(keys: string): string {
  return keys.replace("Mod", mac ? "Meta" : "Control").replace("Esc", "Escape");
}

/**
 * Whether an event matches a shortcut. Letters are compared by `key`, and by `code` if the key prints no Latin letter: an
 * Arabic layout prints Arabic letters with the same keys.
 */
export function matchesShortcut(event: KeyboardEvent, keys: string): boolean {
  if (event.isComposing || event.keyCode === 229) return false;
  const parts = keys.split("+");
  const key = parts.at(-1) ?? "";
  const mod = mac ? event.metaKey : event.ctrlKey;
  const otherMod = mac ? event.ctrlKey : event.metaKey;
  if (otherMod || mod !== parts.includes("Mod") || event.altKey !== parts.includes("Alt")) return false;
  const shift = parts.includes("Shift");
  // Some layouts print it with Shift; an Arabic layout prints a letter with the same key.
  if (key === "/") return event.key === "/" || (event.code === "Slash" && !/^[ -~]$/.test(event.key));
  if (event.shiftKey !== shift) return false;
  if (/^[A-Z]$/.test(key)) return /^[a-z]$/i.test(event.key) ? event.key.toUpperCase() === key : event.code === `Key${key}`;
  if (key === "Esc") return event.key === "Escape";
  return event.key === key;
}

/**
 * Runs `action` on the shortcut anywhere in the window, while `enabled` is true and no dialog is open. A shortcut with Mod comes
 * before the element with the focus: date segments and lists keep keys to themselves that they have no use for. A shortcut
 * without it comes after, because Escape also closes menus. With `within`, the shortcut belongs to that element.
 */
export function useShortcut(id: ShortcutId, action: () => void, enabled = true, within?: RefObject<HTMLElement | null>): void {
  const latest = useRef(action);
  useEffect(() => {
    latest.current = action;
  });
  useEffect(() => {
    if (!enabled) return;
    const { keys } = shortcuts[id];
    const capture = keys.startsWith("Mod");
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || !matchesShortcut(event, keys) || isDialogOpen()) return;
      if (keys.length === 1 && isTyping(event.target)) return;
      if (within && event.target !== document.body && !within.current?.contains(event.target as Node)) return;
      event.preventDefault();
      if (capture) event.stopPropagation();
      latest.current();
    };
    window.addEventListener("keydown", onKeyDown, { capture });
    // What belongs to the element with the focus has none in the palette.
    const unregister = within
      ? undefined
      : registerCommand({ id, label: shortcuts[id].label, keys, run: () => latest.current() });
    return () => {
      window.removeEventListener("keydown", onKeyDown, { capture });
      unregister?.();
    };
  }, [id, enabled, within]);
}

/** Whether a key without Mod types into the element. */
function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    target.matches("input, textarea, select, [contenteditable], [role=spinbutton], [role=combobox]")
  );
}

/** Whether a modal dialog is open. */
export function isDialogOpen(): boolean {
  return document.querySelector("[data-modal]") !== null;
}
