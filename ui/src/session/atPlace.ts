/** Calls that name the window's place. A place that has become outdated meanwhile is renewed quietly, once. */

import type { CommandError, Place, Snapshot } from "../ipc/bindings";
import { CommandFailure, call } from "../ipc/call";
import { currentSnapshot, nextSnapshot } from "./feed";

/** How long the core may take to say what the window is bound to now. */
const PATIENCE_MS = 2000;

type Answer<T> = { status: "ok"; data: T } | { status: "error"; error: CommandError };

/** Where the window's place is read from. */
export interface Bindings {
  current: () => Snapshot | null;
  /** The next snapshot, or the current one when the patience is over. */
  next: (patience: number) => Promise<Snapshot | null>;
}

/**
 * Runs a command in an organization. Fails with `stalePlace`, before any call, when the window has left that organization: what
 * was meant for one is never sent to another.
 */
export function atPlace<T>(organization: string, command: (place: Place) => Promise<Answer<T>>): Promise<T> {
  return atPlaceOf({ current: currentSnapshot, next: nextSnapshot }, organization, command);
}

/** The same with the bindings given. */
export async function atPlaceOf<T>(
  bindings: Bindings,
  organization: string,
  command: (place: Place) => Promise<Answer<T>>,
): Promise<T> {
  const place = boundTo(organization, bindings.current());
  try {
    return await call(command(place));
  } catch (thrown) {
    if (!(thrown instanceof CommandFailure) || thrown.error.kind !== "stalePlace") throw thrown;
    let snapshot = bindings.current();
    if (snapshot?.place?.generation === place.generation) snapshot = await bindings.next(PATIENCE_MS);
    return call(command(boundTo(organization, snapshot)));
  }
}

function boundTo(organization: string, snapshot: Snapshot | null): Place {
  const place = snapshot?.place;
  if (place?.organization !== organization) throw new CommandFailure({ kind: "stalePlace" });
  return place;
}
