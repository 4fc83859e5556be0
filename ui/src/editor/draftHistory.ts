/** Undo and redo of everything that is done in the editor. */

import { isSame } from "../comparison/contentParts";
import type { InvoiceContent } from "../ipc/bindings";
import { withAllDetails } from "./details/detailFields";

/** The content with the identity of its lines. */
export interface Snapshot {
  content: InvoiceContent;
  lineIds: readonly number[];
}

/** A content of before a conflict, merged with what somebody else has saved. Its own values are kept where both have changed something. */
export type Rebase = (content: InvoiceContent) => InvoiceContent;

interface Step extends Snapshot {
  /** The conflicts that were resolved since, the first one first. They are merged when the step is taken back: mostly it never is. */
  rebases?: readonly Rebase[];
}

export interface History {
  past: readonly Step[];
  future: readonly Snapshot[];
  /** What the last step holds of typing, so that a word is one step. `null` after anything else. */
  typing: Typing | null;
}

interface Typing {
  field: string;
  /** Whether letters were deleted: what is deleted one by one comes back at once, and is not taken back with what was typed before. */
  deletes: boolean;
}

/** Steps that can be undone. */
const MAX_STEPS = 200;

export const emptyHistory: History = { past: [], future: [], typing: null };

/** The history after a change of something else than a text. `before` is the state that it replaced. */
export function recordChange(history: History, before: Snapshot): History {
  return { past: [...history.past, before].slice(-MAX_STEPS), future: [], typing: null };
}

/**
 * The history after typing in a field. Typing goes on in the same step until a word ends, letters are deleted instead, or another field is
 * changed.
 */
export function recordTyping(history: History, before: Snapshot, path: string, from: string, to: string): History {
  const { typing } = history;
  const deletes = to.length < from.length;
  const wordEnds = /\s$/.test(from) && to.length > from.length;
  const goesOn = typing?.field === path && typing.deletes === deletes && !wordEnds;
  if (goesOn && Math.abs(to.length - from.length) <= 1) return { ...history, future: [] };
  return { ...recordChange(history, before), typing: { field: path, deletes } };
}

/** The history after typing in a field that sets the text of another one, as terms set a date: one step until another field is changed. */
export function recordTypingIn(history: History, before: Snapshot, field: string): History {
  if (history.typing?.field === field) return { ...history, future: [] };
  return { ...recordChange(history, before), typing: { field, deletes: false } };
}

/**
 * The history after a conflict was resolved. Every step before it is one of the new base from then on: going back brings own texts back, and
 * takes nothing back of what somebody else has saved.
 */
export function recordRebase(history: History, before: Snapshot, rebase: Rebase): History {
  const { past, ...rest } = recordChange(history, before);
  return {
    ...rest,
    past: past.map(({ content, lineIds, rebases = [] }) => ({ content, lineIds, rebases: [...rebases, rebase] })),
  };
}

/** The snapshot of the step before, and the history after it. `null` if there is none. Line ids from `nextId` on are free. */
export function stepBack(history: History, now: Snapshot, nextId: number): [Snapshot, History] | null {
  const past = [...history.past];
  for (let step = past.pop(); step; step = past.pop()) {
    const to = rebasedStep(step, now, nextId);
    // What was typed where the value of somebody else was chosen, or what both have typed, is no step any more.
    if (step.rebases && isSame(to.content, now.content)) continue;
    return [to, { past, future: [...history.future, now], typing: null }];
  }
  return null;
}

/** The snapshot of the step that was undone last, and the history after it. `null` if there is none. */
export function stepForward(history: History, now: Snapshot): [Snapshot, History] | null {
  const to = history.future.at(-1);
  if (!to) return null;
  return [to, { past: [...history.past, now], future: history.future.slice(0, -1), typing: null }];
}

function rebasedStep({ content, lineIds, rebases }: Step, now: Snapshot, nextId: number): Snapshot {
  if (!rebases) return { content, lineIds };
  const merged = withAllDetails(rebases.reduce((before, rebase) => rebase(before), content));
  return { content: merged, lineIds: matchedLineIds(merged, [{ content, lineIds }, now], nextId) };
}

/**
 * The ids of the lines of a merged content: those of the lines in `sources` with the same id of the service, then those that the first source
 * has left, then new ones from `nextId` on.
 */
export function matchedLineIds(
  { lines }: InvoiceContent,
  sources: readonly [Snapshot, ...Snapshot[]],
  nextId: number,
): readonly number[] {
  const known = new Map<string, number>();
  for (const { content, lineIds } of sources.toReversed()) {
    for (const [index, { id }] of content.lines.entries()) if (id) known.set(id, lineIds[index] as number);
  }
  const used = new Set<number>();
  const take = (id: number | undefined) => {
    if (id === undefined || used.has(id)) return undefined;
    used.add(id);
    return id;
  };
  const matched = lines.map(({ id }) => take(known.get(id ?? "")));
  const left = sources[0].lineIds.filter((id) => !used.has(id));
  let next = nextId;
  return matched.map((id) => id ?? left.shift() ?? next++);
}
