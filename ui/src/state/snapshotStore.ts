/** Store of the session snapshot, fed by a long poll of `watch`, with its hook. */

import { createValueStore, useValueStore } from "../components/valueStore";
import type { Snapshot, WindowBinding } from "../ipc/bindings";
import { call, commands } from "../ipc/call";

/** Delay before the next poll after a failed one. */
const RETRY_DELAY_MS = 1000;

const store = createValueStore<Snapshot | null>(null);
let running = false;

/** Starts the poll. A second call has no effect. */
export function startSnapshotPolling(): void {
  if (running) return;
  running = true;
  void poll();
}

async function poll(): Promise<never> {
  for (;;) {
    try {
      publish(await call(commands.watch(store.get()?.revision ?? 0)));
    } catch {
      await new Promise((resolve) => setTimeout(resolve, RETRY_DELAY_MS));
    }
  }
}

function publish(snapshot: Snapshot): void {
  const current = store.get();
  if (current && snapshot.revision === current.revision) return;
  store.set(withLatestBinding(current, snapshot));
}

/** Shows the binding that a switch has returned at once, instead of with the next snapshot. Of two switches, the answer to the later one stays. */
export function adoptBinding(binding: WindowBinding): void {
  const current = store.get();
  if (current) store.set(withLatestBinding(current, { ...current, binding }));
}

/**
 * The next snapshot with the latest binding. A snapshot that the core made before a switch arrives after the switch has returned;
 * it must not bring the earlier binding back. Generations start again with the core, and so do revisions.
 */
export function withLatestBinding(previous: Snapshot | null, next: Snapshot): Snapshot {
  if (!previous?.binding || !next.binding || next.revision < previous.revision) return next;
  return previous.binding.generation > next.binding.generation ? { ...next, binding: previous.binding } : next;
}

/** The last snapshot, or `null` before the first. */
export function useSnapshot(): Snapshot | null {
  return useValueStore(store);
}

/** The last snapshot, for calls outside of rendering. */
export function currentSnapshot(): Snapshot | null {
  return store.get();
}

/** Calls `listener` with each snapshot that follows, until the function that it returns is called. */
export function subscribeToSnapshots(listener: (snapshot: Snapshot) => void): () => void {
  return store.subscribe(() => {
    const current = store.get();
    if (current) listener(current);
  });
}

/** Resolves with the next snapshot, or with the current one after `timeoutMs` milliseconds. */
export function nextSnapshot(timeoutMs: number): Promise<Snapshot | null> {
  return new Promise((resolve) => {
    const settle = () => {
      clearTimeout(timer);
      unsubscribe();
      resolve(store.get());
    };
    const timer = setTimeout(settle, timeoutMs);
    const unsubscribe = store.subscribe(settle);
  });
}
