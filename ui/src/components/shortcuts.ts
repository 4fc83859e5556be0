/** The table of keyboard shortcuts, which the shortcuts dialog, buttons and key listeners share. */

import { type RefObject, useLayoutEffect, useRef } from "react";
import type { MessageId } from "../i18n/localizer";
import { registerCommand } from "./commands";
import { isDialogOpen } from "./openDialogs";
import { createValueStore, useValueStore } from "./valueStore";

export interface Shortcut {
  /** As `Mod+Shift+F`. `Mod` is Command on macOS and Control elsewhere. */
  keys: string;
  label: MessageId;
  group: "everywhere" | "list" | "document" | "editor";
  /** Keys that stand for several, or that lists and forms expect: they stay as they are. */
  fixed?: true;
}

/** Keys of punctuation, with their place on the keyboard: other layouts print other characters with them. */
export const PUNCTUATION: Readonly<Record<string, string>> = {
  "/": "Slash",
  ",": "Comma",
  ".": "Period",
  ";": "Semicolon",
  "=": "Equal",
  "-": "Minus",
};

export const mac = /Mac|iPhone|iPad/.test(navigator.platform);

export const shortcuts = {
  palette: { keys: "Mod+K", label: "key-palette", group: "everywhere" },
  search: { keys: "/", label: "key-search", group: "everywhere" },
  switchOrganization: { keys: "Mod+O", label: "key-switch", group: "everywhere" },
  pinnedOrganization: { keys: "Mod+1…9", label: "key-pinned", group: "everywhere", fixed: true },
  pinOrganization: { keys: "Mod+Shift+B", label: "key-pin", group: "everywhere" },
  newInvoice: { keys: "Mod+N", label: "key-new", group: "everywhere" },
  newWindow: { keys: "Mod+Shift+N", label: "key-new-window", group: "everywhere" },
  templates: { keys: "Mod+Shift+U", label: "key-templates", group: "everywhere" },
  importFile: { keys: "Mod+Shift+O", label: "key-import", group: "everywhere" },
  reload: { keys: "Mod+R", label: "key-reload", group: "everywhere" },
  language: { keys: "Mod+Shift+L", label: "key-language", group: "everywhere" },
  settings: { keys: "Mod+,", label: "key-settings", group: "everywhere" },
  nextSection: { keys: "F6", label: "key-next-section", group: "everywhere" },
  previousSection: { keys: "Shift+F6", label: "key-previous-section", group: "everywhere" },
  zoomIn: { keys: "Mod+=", label: "key-zoom-in", group: "everywhere" },
  zoomOut: { keys: "Mod+-", label: "key-zoom-out", group: "everywhere" },
  zoomReset: { keys: "Mod+0", label: "key-zoom-reset", group: "everywhere" },
  endImpersonation: { keys: "Mod+Shift+H", label: "key-end-impersonation", group: "everywhere" },
  quit: { keys: "Mod+Q", label: "key-quit", group: "everywhere", fixed: true },
  sheet: { keys: "Mod+/", label: "key-shortcuts", group: "everywhere" },
  move: { keys: "↑ ↓", label: "key-move", group: "list", fixed: true },
  select: { keys: "Space", label: "key-select", group: "list", fixed: true },
  extend: { keys: "Shift+↑ ↓", label: "key-extend", group: "list", fixed: true },
  selectAll: { keys: "Mod+A", label: "key-select-all", group: "list", fixed: true },
  open: { keys: "Enter", label: "key-open", group: "list", fixed: true },
  filter: { keys: "Mod+F", label: "key-filter", group: "list" },
  views: { keys: "Alt+1…9", label: "key-views", group: "list", fixed: true },
  columns: { keys: "Mod+L", label: "key-columns", group: "list" },
  issueSelection: { keys: "Mod+Shift+S", label: "key-issue-selection", group: "list" },
  freezeSelection: { keys: "Mod+Shift+G", label: "key-freeze-selection", group: "list" },
  export: { keys: "Mod+Shift+E", label: "key-export", group: "list" },
  edit: { keys: "F2", label: "key-edit", group: "document" },
  issue: { keys: "Mod+Shift+I", label: "key-issue", group: "document" },
  freeze: { keys: "Mod+Shift+F", label: "key-freeze", group: "document" },
  creditNote: { keys: "Mod+Shift+K", label: "key-credit", group: "document" },
  recordPayment: { keys: "Mod+Shift+M", label: "key-record-payment", group: "document" },
  copyLink: { keys: "Mod+Shift+C", label: "key-copy-link", group: "document" },
  duplicate: { keys: "Mod+D", label: "key-duplicate", group: "document" },
  deleteDocument: { keys: "Mod+Shift+Delete", label: "key-delete", group: "document" },
  paper: { keys: "Mod+Shift+P", label: "key-paper", group: "document" },
  print: { keys: "Mod+P", label: "key-print", group: "document" },
  savePdf: { keys: "Mod+S", label: "key-save-pdf", group: "document" },
  close: { keys: "Esc", label: "key-close", group: "document", fixed: true },
  save: { keys: "Mod+S", label: "key-submit", group: "editor", fixed: true },
  submit: { keys: "Mod+Enter", label: "key-submit", group: "editor" },
  submitAndIssue: { keys: "Mod+Shift+Enter", label: "key-submit-issue", group: "editor" },
  nextError: { keys: "Mod+J", label: "key-next-error", group: "editor" },
  previousError: { keys: "Mod+Shift+J", label: "key-previous-error", group: "editor" },
  nextRow: { keys: "Enter", label: "key-next-row", group: "editor", fixed: true },
  moveLine: { keys: "Alt+↑ ↓", label: "key-move-line", group: "editor", fixed: true },
  lineDetails: { keys: "Mod+I", label: "key-line-details", group: "editor" },
  priceWithTax: { keys: "Mod+G", label: "key-price-with-tax", group: "editor" },
  explain: { keys: "Mod+Shift+X", label: "key-explain", group: "editor" },
  removeLine: { keys: "Mod+Delete", label: "key-remove-line", group: "editor" },
  undo: { keys: "Mod+Z", label: "key-undo", group: "editor" },
  redo: { keys: mac ? "Mod+Shift+Z" : "Mod+Y", label: "key-redo", group: "editor" },
} as const satisfies Record<string, Shortcut>;

export type ShortcutId = keyof typeof shortcuts;

/** The keys that the user has chosen in place of those of the table. */
const customKeys = createValueStore<Readonly<Record<string, string>>>({});

/** Sets the keys that replace those of the table, by the name of the shortcut. */
export function setCustomKeys(keys: Readonly<Record<string, string>>): void {
  customKeys.set(keys);
}

/** The keys of a shortcut: those that the user has chosen, else those of the table. */
export function keysOf(id: ShortcutId): string {
  const { keys, fixed }: Shortcut = shortcuts[id];
  return (fixed ? undefined : customKeys.get()[id]) ?? keys;
}

/** As `keysOf`, rendered again when the user chooses others. */
export function useShortcutKeys(id: ShortcutId): string;
export function useShortcutKeys(id: ShortcutId | undefined): string | undefined;
export function useShortcutKeys(id: ShortcutId | undefined): string | undefined {
  useValueStore(customKeys);
  return id && keysOf(id);
}

/** The labels of the keys on this platform. */
export function keyCaps(keys: string): string[] {
  return keys.split("+").map((key) => (key === "Mod" ? (mac ? "⌘" : "Ctrl") : key === "=" ? "+" : key === "-" ? "\u2212" : key));
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
  // Some layouts print them with Shift; an Arabic layout prints letters with the same keys.
  const code = PUNCTUATION[key];
  if (code) {
    const placed = event.code === code && event.shiftKey === shift && !/^[ -~]$/.test(event.key);
    return event.key === key || (key === "=" && event.key === "+") || placed;
  }
  if (event.shiftKey !== shift) return false;
  // With Alt the number pad writes a character by its code on Windows, and on macOS the digits print other characters.
  if (/^\d$/.test(key)) return event.code === `Digit${key}` || (event.key === key && !event.altKey);
  if (/^[A-Z]$/.test(key)) return /^[a-z]$/i.test(event.key) ? event.key.toUpperCase() === key : event.code === `Key${key}`;
  if (key === "Esc") return event.key === "Escape";
  return event.key === key;
}

export interface ShortcutOptions {
  /** The element that the shortcut belongs to: it counts while the focus is in it, or nowhere. */
  within?: RefObject<HTMLElement | null>;
  /** Whether it also counts while a dialog is open. */
  overDialogs?: boolean;
}

/**
 * Runs `action` on the shortcut anywhere in the window, while `enabled` is true. A shortcut with Mod comes before the element with the focus:
 * date segments and lists keep keys to themselves that they have no use for. A shortcut without it comes after, because Escape also closes
 * menus.
 */
export function useShortcut(
  id: ShortcutId,
  action: () => void,
  enabled = true,
  { within, overDialogs = false }: ShortcutOptions = {},
): void {
  const latest = useRef(action);
  const keys = useShortcutKeys(id);
  // Layout effects: a key that is pressed right after the paint finds its shortcut.
  useLayoutEffect(() => {
    latest.current = action;
  });
  useLayoutEffect(() => {
    if (!enabled) return;
    const capture = keys.startsWith("Mod");
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || !matchesShortcut(event, keys) || (!overDialogs && isDialogOpen())) return;
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
      : registerCommand({ id, label: shortcuts[id].label, keys, overDialogs, run: () => latest.current() });
    return () => {
      window.removeEventListener("keydown", onKeyDown, { capture });
      unregister?.();
    };
  }, [id, keys, enabled, within, overDialogs]);
}

/** Whether a key with Alt types a character where the focus is: on macOS it does, as `[` with Alt+5 on a German keyboard. */
export function typesWithAlt({ target }: KeyboardEvent): boolean {
  return mac && isTyping(target);
}

/** Whether a key without Mod types into the element. */
function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    target.matches("input, textarea, select, [contenteditable], [role=spinbutton], [role=combobox]")
  );
}
