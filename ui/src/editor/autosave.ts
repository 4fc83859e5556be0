/** Keeps every change of a draft: at once, one after the other, the latest last. */

import type { CommandError } from "../ipc/bindings";
import { commandError } from "../ipc/call";

export type SaveState = { state: "saved" } | { state: "saving" } | { state: "failed"; error: CommandError };

export interface Autosave<T> {
  /** Keeps a value; a newer one that comes meanwhile is kept next, and what lies between is skipped. */
  schedule: (value: T) => void;
  /** Resolves when everything given so far is kept; rejects if the last could not be. */
  flush: () => Promise<void>;
  /** Keeps nothing more: the draft has become a document. */
  stop: () => void;
}

export function createAutosave<T>(save: (value: T) => Promise<unknown>, onState: (state: SaveState) => void): Autosave<T> {
  let waiting: { value: T } | null = null;
  let running: Promise<void> | null = null;
  let failed: { value: T; error: unknown } | null = null;
  let stopped = false;

  async function saveWaiting(): Promise<void> {
    if (!waiting || stopped) return;
    const { value } = waiting;
    waiting = null;
    try {
      await save(value);
      failed = null;
    } catch (error) {
      failed = { value, error };
    }
    return saveWaiting();
  }
  async function work(): Promise<void> {
    onState({ state: "saving" });
    await saveWaiting();
    running = null;
    // A value may have come just as the last one was kept.
    if (waiting && !stopped) return run();
    onState(failed ? { state: "failed", error: commandError(failed.error) } : { state: "saved" });
  }
  function run(): Promise<void> {
    running ??= work();
    return running;
  }

  return {
    schedule: (value) => {
      if (stopped) return;
      waiting = { value };
      void run();
    },
    flush: async () => {
      await running;
      if (stopped) return;
      // What could not be kept before is tried once more before anything is left.
      if (failed) waiting ??= { value: failed.value };
      if (waiting) await run();
      if (failed) throw failed.error;
    },
    stop: () => {
      stopped = true;
    },
  };
}
