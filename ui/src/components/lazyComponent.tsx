/** Components whose code is loaded when they are first rendered, or before that while the window is idle. */

import { type ComponentType, lazy, Suspense, useState } from "react";

const pending: (() => Promise<unknown>)[] = [];

/** A component whose code `prefetch` begins to load. */
export type LazyComponent<Props extends object> = ComponentType<Props> & { prefetch: () => void };

/**
 * A component that is rendered within a `Suspense` of its parent until `load` has ended. Once it is loaded it renders at once, so
 * that keys which follow the one that opened it are not lost.
 */
export function lazyComponent<Props extends object>(load: () => Promise<ComponentType<Props>>): LazyComponent<Props> {
  let loaded: ComponentType<Props> | null = null;
  const start = async () => {
    loaded ??= await load();
    return { default: loaded };
  };
  pending.push(start);
  const Lazy = lazy(start);
  function LazyComponent(props: Props) {
    // An instance keeps its type: another one would lose its state.
    const [Component] = useState<ComponentType<Props>>(() => loaded ?? Lazy);
    return <Component {...props} />;
  }
  // A component that cannot be loaded fails when it is rendered.
  return Object.assign(LazyComponent, { prefetch: () => void start().catch(() => undefined) });
}

/** A dialog whose code is loaded when it opens for the first time. It stays mounted after that, as its closing may be animated. */
export function lazyDialog<Props extends { isOpen: boolean }>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  const Loaded = lazyComponent(load);
  return function LazyDialog(props: Props) {
    const [opened, setOpened] = useState(props.isOpen);
    if (props.isOpen && !opened) setOpened(true);
    return (
      opened && (
        <Suspense>
          <Loaded {...props} />
        </Suspense>
      )
    );
  };
}

/** Loads the code of all lazy components once the window shows something and is idle: opening one does not wait then. */
export async function prefetchLazyComponents(): Promise<void> {
  await painted();
  await idle();
  // A component that is loaded may name others.
  for (let load = pending.shift(); load !== undefined; load = pending.shift()) {
    // A component that cannot be loaded fails when it is rendered.
    await load().catch(() => undefined);
  }
}

/** Resolves after the first text is painted: what is loaded before that delays it. */
function painted(): Promise<void> {
  if (!PerformanceObserver.supportedEntryTypes.includes("paint")) return Promise.resolve();
  return new Promise((resolve) => {
    const observer = new PerformanceObserver((list) => {
      if (list.getEntriesByName("first-contentful-paint").length === 0) return;
      observer.disconnect();
      resolve();
    });
    observer.observe({ type: "paint", buffered: true });
  });
}

function idle(): Promise<unknown> {
  return new Promise((resolve) => {
    // WebKit has no requestIdleCallback.
    if ("requestIdleCallback" in window) requestIdleCallback(resolve, { timeout: 1_000 });
    else setTimeout(resolve, 50);
  });
}
