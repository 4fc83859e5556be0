/** Keys that a user chooses for a shortcut, and whether they can be used. */

import { mac, PUNCTUATION, type Shortcut, type ShortcutId, shortcuts } from "../components/shortcuts";

export const shortcutGroups = ["everywhere", "list", "document", "editor"] as const satisfies readonly Shortcut["group"][];

/** The shortcuts of a group, in the order of the table. */
export function shortcutsOf(group: Shortcut["group"]): ShortcutId[] {
  return shortcutIds.filter((id) => shortcuts[id].group === group);
}

const shortcutIds = Object.keys(shortcuts) as ShortcutId[];

/** The keys of an event as `Mod+Shift+F`; `null` for keys that no shortcut can have, as modifiers alone. */
export function keysOfEvent(event: KeyboardEvent): string | null {
  const mod = mac ? event.metaKey : event.ctrlKey;
  const otherMod = mac ? event.ctrlKey : event.metaKey;
  const key = keyOfEvent(event);
  if (key === null || otherMod || event.isComposing) return null;
  return [mod && "Mod", event.altKey && "Alt", event.shiftKey && "Shift", key].filter(Boolean).join("+");
}

/** Letters and punctuation by their place on the keyboard, unless a Latin letter is printed. */
function keyOfEvent({ key, code }: KeyboardEvent): string | null {
  if (/^[a-z]$/i.test(key)) return key.toUpperCase();
  if (/^(F\d+|Enter|Delete|Backspace)$/.test(key)) return key;
  const [, name] = /^(?:Key|Digit)(.)$/.exec(code) ?? [];
  return name ?? Object.keys(PUNCTUATION).find((sign) => PUNCTUATION[sign] === code) ?? null;
}

/** Why keys cannot be used. */
export type KeysProblem =
  /** Typing would set them off: neither Control (Command) nor a function key. */
  | { kind: "plain" }
  /** The system or every text field has another use for them. */
  | { kind: "reserved" }
  | { kind: "taken"; by: ShortcutId };

/** Copying, pasting, selecting all; closing and quitting the window; and what `pinnedOrganization` stands for. */
const RESERVED = new Set(["C", "V", "X", "A", "Q", "W", "1", "2", "3", "4", "5", "6", "7", "8", "9"].map((key) => `Mod+${key}`));

/** Why a shortcut cannot have the keys; `null` if it can. */
export function checkKeys(id: ShortcutId, keys: string, custom: Readonly<Record<string, string>>): KeysProblem | null {
  if (!keys.startsWith("Mod+") && !/(^|\+)F\d+$/.test(keys)) return { kind: "plain" };
  if (RESERVED.has(keys)) return { kind: "reserved" };
  const by = shortcutIds.find((other) => other !== id && keysWith(other, custom) === keys);
  return by ? { kind: "taken", by } : null;
}

/** The chosen keys with those of one shortcut changed; `null`, and its own keys, remove them. */
export function withKeys(custom: Readonly<Record<string, string>>, id: ShortcutId, keys: string | null): Record<string, string> {
  const { [id]: _, ...rest } = custom;
  const own: Shortcut = shortcuts[id];
  return keys === null || keys === own.keys ? rest : { ...rest, [id]: keys };
}

function keysWith(id: ShortcutId, custom: Readonly<Record<string, string>>): string {
  return custom[id] ?? shortcuts[id].keys;
}
