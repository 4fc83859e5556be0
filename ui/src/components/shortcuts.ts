/** The table of keyboard shortcuts, which the shortcuts dialog, buttons and key listeners share. */

import { useEffect, useRef } from "react";
import type { MessageId } from "../i18n/localizer";

export interface Shortcut {
  /** As `Mod+Shift+F`. `Mod` is Command on macOS and Control elsewhere. */
  keys: string;
  label: MessageId;
  group: "everywhere" | "list" | "document" | "editor";
}

export const shortcuts = {
  search: { keys: "Mod+K", label: "key-search", group: "everywhere" },
  switchOrganization: { keys: "Mod+O", label: "key-switch", group: "everywhere" },
  pinnedOrganization: { keys: "Mod+1…9", label: "key-pinned", group: "everywhere" },
  newInvoice: { keys: "Mod+N", label: "key-new", group: "everywhere" },
  language: { keys: "Mod+Shift+L", label: "key-language", group: "everywhere" },
  sheet: { keys: "Mod+/", label: "key-shortcuts", group: "everywhere" },
  move: { keys: "↑ ↓", label: "key-move", group: "list" },
  select: { keys: "Space", label: "key-select", group: "list" },
  extend: { keys: "Shift+↑ ↓", label: "key-extend", group: "list" },
  open: { keys: "Enter", label: "key-open", group: "list" },
  filter: { keys: "Mod+F", label: "key-filter", group: "list" },
  edit: { keys: "F2", label: "key-edit", group: "document" },
  issue: { keys: "Mod+Shift+I", label: "key-issue", group: "document" },
  freeze: { keys: "Mod+Shift+F", label: "key-freeze", group: "document" },
  creditNote: { keys: "Mod+Shift+K", label: "key-credit", group: "document" },
  duplicate: { keys: "Mod+D", label: "key-duplicate", group: "document" },
  close: { keys: "Esc", label: "key-close", group: "document" },
  submit: { keys: "Mod+Enter", label: "key-submit", group: "editor" },
  nextError: { keys: "Mod+J", label: "key-next-error", group: "editor" },
  previousError: { keys: "Mod+Shift+J", label: "key-previous-error", group: "editor" },
  nextRow: { keys: "Enter", label: "key-next-row", group: "editor" },
  moveLine: { keys: "Alt+↑ ↓", label: "key-move-line", group: "editor" },
  removeLine: { keys: "Mod+Delete", label: "key-remove-line", group: "editor" },
  undoRemove: { keys: "Mod+Z", label: "key-undo-remove", group: "editor" },
} as const satisfies Record<string, Shortcut>;

export type ShortcutId = keyof typeof shortcuts;

const mac = /Mac|iPhone|iPad/.test(navigator.platform);

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
  if (key === "/") return event.key === "/" || event.code === "Slash";
  if (event.shiftKey !== shift) return false;
  if (/^[A-Z]$/.test(key)) return /^[a-z]$/i.test(event.key) ? event.key.toUpperCase() === key : event.code === `Key${key}`;
  if (key === "Esc") return event.key === "Escape";
  return event.key === key;
}

/** Runs `action` on the shortcut anywhere in the window, while `enabled` is true and no dialog is open. */
export function useShortcut(id: ShortcutId, action: () => void, enabled = true): void {
  const latest = useRef(action);
  useEffect(() => {
    latest.current = action;
  });
  useEffect(() => {
    if (!enabled) return;
    const { keys } = shortcuts[id];
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || !matchesShortcut(event, keys) || isDialogOpen()) return;
      event.preventDefault();
      latest.current();
    };
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, [id, enabled]);
}

/** Whether a modal dialog is open. */
export function isDialogOpen(): boolean {
  return document.querySelector("[data-modal]") !== null;
}
