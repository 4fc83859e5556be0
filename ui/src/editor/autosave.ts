/** Autosave: writes every change at once, one at a time. Of the changes during a write, only the latest is written. */

import type { CommandError } from "../ipc/bindings";
import { commandError } from "../ipc/call";

export type SaveState = { state: "saved" } | { state: "saving" } | { state: "failed"; error: CommandError };

export interface Autosave<T> {
  /** Writes a value, or replaces the value that waits for the current write. */
  schedule: (value: T) => void;
  /** Resolves when the last value is written. Rejects if its write failed. */
  flush: () => Promise<void>;
  /** Ends saving, once the draft has been sent or discarded. */
  stop: () => void;
}

export function createAutosave<T>(save: (value: T) => Promise<unknown>, onState: (state: SaveState) => void): Autosave<T> {
  let pending: { value: T } | null = null;
  let running: Promise<void> | null = null;
  let failed: { value: T; error: unknown } | null = null;
  let stopped = false;

  async function savePending(): Promise<void> {
    if (!pending || stopped) return;
    const { value } = pending;
    pending = null;
    try {
      await save(value);
      failed = null;
    } catch (error) {
      failed = { value, error };
    }
    return savePending();
  }
  async function drain(): Promise<void> {
    onState({ state: "saving" });
    await savePending();
    running = null;
    // A value may have been scheduled just as the last write finished.
    if (pending && !stopped) return run();
    onState(failed ? { state: "failed", error: commandError(failed.error) } : { state: "saved" });
  }
  function run(): Promise<void> {
    running ??= drain();
    return running;
  }

  return {
    schedule: (value) => {
      if (stopped) return;
      pending = { value };
      void run();
    },
    flush: async () => {
      await running;
      if (stopped) return;
      // Retry a failed write once.
      if (failed) pending ??= { value: failed.value };
      if (pending) await run();
      if (failed) throw failed.error;
    },
    stop: () => {
      stopped = true;
    },
  };
}
