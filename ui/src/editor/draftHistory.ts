/** Undo and redo of everything that is done in the editor. */

import type { InvoiceContent } from "../ipc/bindings";

/** The content with the identity of its lines. */
export interface Snapshot {
  content: InvoiceContent;
  lineIds: readonly number[];
}

export interface History {
  past: readonly Snapshot[];
  future: readonly Snapshot[];
  /** The field whose typing the last step holds, so that a word is one step. `null` after anything else. */
  typing: string | null;
}

/** Steps that can be undone. */
const MAX_STEPS = 200;

export const emptyHistory: History = { past: [], future: [], typing: null };

/** The history after a change of something else than a text. `before` is the state that it replaced. */
export function recordChange(history: History, before: Snapshot): History {
  return { past: [...history.past, before].slice(-MAX_STEPS), future: [], typing: null };
}

/** The history after typing in a field. Typing goes on in the same step until a word ends or another field is changed. */
export function recordTyping(history: History, before: Snapshot, path: string, from: string, to: string): History {
  const wordEnds = /\s$/.test(from) && to.length > from.length;
  const goesOn = history.typing === path && !wordEnds && Math.abs(to.length - from.length) <= 1;
  if (goesOn) return { ...history, future: [] };
  return { ...recordChange(history, before), typing: path };
}

/** The snapshot of the step before, and the history after it. `null` if there is none. */
export function stepBack(history: History, now: Snapshot): [Snapshot, History] | null {
  const to = history.past.at(-1);
  if (!to) return null;
  return [to, { past: history.past.slice(0, -1), future: [...history.future, now], typing: null }];
}

/** The snapshot of the step that was undone last, and the history after it. `null` if there is none. */
export function stepForward(history: History, now: Snapshot): [Snapshot, History] | null {
  const to = history.future.at(-1);
  if (!to) return null;
  return [to, { past: [...history.past, now], future: history.future.slice(0, -1), typing: null }];
}
