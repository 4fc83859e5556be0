/** The session as the core pushes it: a long poll of `watch` that never stops, and the hook that reads it. */

import { useSyncExternalStore } from "react";
import type { Snapshot } from "../ipc/bindings";
import { call, commands } from "../ipc/call";

/** How long to wait before asking again after the shell itself did not answer. */
const RETRY_DELAY_MS = 1000;

let current: Snapshot | null = null;
let running = false;
const listeners = new Set<() => void>();

/** Starts following the core; safe to call twice. */
export function startSnapshotPolling(): void {
  if (running) return;
  running = true;
  void poll();
}

async function poll(): Promise<never> {
  for (;;) {
    try {
      publish(await call(commands.watch(current?.revision ?? 0)));
    } catch {
      await new Promise((resolve) => setTimeout(resolve, RETRY_DELAY_MS));
    }
  }
}

function publish(snapshot: Snapshot): void {
  if (current && snapshot.revision === current.revision) return;
  current = snapshot;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The last snapshot; `null` before the first. */
export function useSnapshot(): Snapshot | null {
  return useSyncExternalStore(subscribe, () => current);
}

/** The last snapshot, for calls that are made outside of rendering. */
export function currentSnapshot(): Snapshot | null {
  return current;
}

/** Resolves with the next snapshot, or with the current one after `patience` milliseconds. */
export function nextSnapshot(timeoutMs: number): Promise<Snapshot | null> {
  return new Promise((resolve) => {
    const settle = () => {
      clearTimeout(timer);
      unsubscribe();
      resolve(current);
    };
    const timer = setTimeout(settle, timeoutMs);
    const unsubscribe = subscribe(settle);
  });
}
