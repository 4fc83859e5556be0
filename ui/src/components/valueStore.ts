/** A value of the whole window that any code can set, with the hook that follows it. */

import { useSyncExternalStore } from "react";

export interface ValueStore<T> {
  get: () => T;
  set: (value: T) => void;
  /** Calls back after each change, until the function that it returns is called. */
  subscribe: (onChange: () => void) => () => void;
}

export function createValueStore<T>(initial: T): ValueStore<T> {
  let current = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => current,
    set: (value) => {
      current = value;
      for (const listener of listeners) listener();
    },
    subscribe: (onChange) => {
      listeners.add(onChange);
      return () => listeners.delete(onChange);
    },
  };
}

export function useValueStore<T>({ get, subscribe }: ValueStore<T>): T {
  return useSyncExternalStore(subscribe, get);
}
