/** Autosave: writes every change after the paint that shows it, one at a time. Of the changes before a write, only the latest is written. */

import { afterPaint } from "../components/afterPaint";
import type { CommandError } from "../ipc/bindings";
import { commandError } from "../ipc/call";

export interface Autosave<T> {
  /** Has a value written, or replaces the one that waits. */
  schedule: (value: T) => void;
  /** Writes what waits at once, and resolves when the last value is written. Rejects if its write failed. */
  flush: () => Promise<void>;
  /** Ends saving, once the draft has been sent. */
  stop: () => void;
  /**
   * Runs what deletes the saved value, and ends saving: what waits is written before, and nothing while it runs or after it. If it fails,
   * saving goes on, with what was scheduled meanwhile. With `needsAll` it does not run if the last value could not be written.
   */
  endWith: <R>(deleteValue: () => Promise<R>, needsAll: boolean) => Promise<R>;
  /** Why the last value is not written. */
  failure: () => CommandError | null;
  /** Whether no value waits to be written, or is being written. */
  isSettled: () => boolean;
  /** Calls back when one of the two changes. Returns a function that ends this. */
  subscribe: (onChange: () => void) => () => void;
}

const nothing = () => undefined;

/**
 * `delay` calls back when a write may begin, and returns a function that calls it off: what is typed is painted first, because a long
 * document takes as long to write as to paint.
 */
export function createAutosave<T>(save: (value: T) => Promise<unknown>, delay = afterPaint): Autosave<T> {
  let pending: { value: T } | null = null;
  let running: Promise<void> | null = null;
  let unwritten: { value: T; error: unknown } | null = null;
  let failure: CommandError | null = null;
  let settled = true;
  let stopped = false;
  // What is scheduled while a deletion is prepared and runs waits for its end.
  let deletion: Promise<void> | null = null;
  let flushes = 0;
  let beginNow: (() => void) | null = null;
  const listeners = new Set<() => void>();

  function tell(nowSettled: boolean, found: CommandError | null) {
    if (nowSettled === settled && found === failure) return;
    settled = nowSettled;
    failure = found;
    for (const listener of listeners) listener();
  }
  async function mayBegin(): Promise<void> {
    if (flushes > 0) return;
    await new Promise<void>((resolve) => {
      const callOff = delay(resolve);
      beginNow = () => {
        callOff();
        resolve();
      };
    });
  }
  async function writePending(): Promise<void> {
    if (!pending || stopped) return;
    await mayBegin();
    if (stopped) return;
    const { value } = pending;
    pending = null;
    try {
      await save(value);
      unwritten = null;
    } catch (error) {
      unwritten = { value, error };
    }
    return writePending();
  }
  async function drain(): Promise<void> {
    await writePending();
    running = null;
    // A value may have been scheduled just as the last write finished.
    if (pending && !stopped) return run();
    tell(true, unwritten && commandError(unwritten.error));
  }
  function run(): Promise<void> {
    running ??= drain();
    return running;
  }
  async function writeAll(): Promise<void> {
    flushes += 1;
    beginNow?.();
    try {
      await running;
      if (stopped) return;
      // Retry a failed write once.
      if (unwritten) pending ??= { value: unwritten.value };
      if (pending) await run();
      if (unwritten) throw unwritten.error;
    } finally {
      flushes -= 1;
    }
  }
  /** Writes what waits, also what comes while that is written. What comes after it has returned is not written. */
  async function writeLast(needsAll: boolean): Promise<void> {
    try {
      await writeAll();
    } catch (error) {
      if (needsAll) throw error;
    }
    if (pending && !stopped) await writeLast(needsAll);
  }
  async function end<R>(deleteValue: () => Promise<R>, needsAll: boolean): Promise<R> {
    try {
      await writeLast(needsAll);
      const deleted = await deleteValue();
      stopped = true;
      return deleted;
    } finally {
      deletion = null;
      if (pending && !stopped) void run();
    }
  }

  return {
    schedule: (value) => {
      if (stopped) return;
      pending = { value };
      tell(false, failure);
      if (!deletion) void run();
    },
    flush: () => (deletion ? deletion.then(writeAll) : writeAll()),
    stop: () => {
      stopped = true;
      beginNow?.();
    },
    endWith: (deleteValue, needsAll) => {
      const ended = end(deleteValue, needsAll);
      deletion = ended.then(nothing, nothing);
      return ended;
    },
    failure: () => failure,
    isSettled: () => settled,
    subscribe: (onChange) => {
      listeners.add(onChange);
      return () => listeners.delete(onChange);
    },
  };
}
