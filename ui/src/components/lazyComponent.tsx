/** Components whose code is loaded when they are first rendered, or before that while the window is idle. */

import { type ComponentType, lazy, Suspense, useState } from "react";

const pending: (() => Promise<unknown>)[] = [];

/** A component that is rendered within a `Suspense` of its parent until `load` has ended. */
export function lazyComponent<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  pending.push(load);
  return lazy(async () => ({ default: await load() }));
}

/** A dialog whose code is loaded when it opens for the first time. It stays mounted after that, as its closing may be animated. */
export function lazyDialog<Props extends { isOpen: boolean }>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  const Loaded: ComponentType<Props> = lazyComponent(load);
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

/** Loads the code of all lazy components, one after the other, whenever the window is idle: opening one does not wait then. */
export async function prefetchLazyComponents(): Promise<void> {
  for (let load = pending.shift(); load !== undefined; load = pending.shift()) {
    await idle();
    // A component that cannot be loaded fails when it is rendered.
    await load().catch(() => undefined);
  }
}

function idle(): Promise<unknown> {
  return new Promise((resolve) => {
    // WebKit has no requestIdleCallback.
    if ("requestIdleCallback" in window) requestIdleCallback(resolve, { timeout: 2_000 });
    else setTimeout(resolve, 50);
  });
}
