/** Calls that name the window's place. A place that has become outdated meanwhile is renewed quietly, once. */

import type { CommandError, Place, Snapshot } from "../ipc/bindings";
import { CommandFailure, call } from "../ipc/call";
import { currentSnapshot, nextSnapshot } from "./snapshotStore";

/** How long the core may take to say what the window is bound to now. */
const REBIND_TIMEOUT_MS = 2000;

type CommandResult<T> = { status: "ok"; data: T } | { status: "error"; error: CommandError };

/** Where the window's place is read from. */
export interface BindingSource {
  current: () => Snapshot | null;
  /** The next snapshot, or the current one when the patience is over. */
  next: (timeoutMs: number) => Promise<Snapshot | null>;
}

/**
 * Runs a command in an organization. Fails with `stalePlace`, before any call, when the window has left that organization: what
 * was meant for one is never sent to another.
 */
export function withBinding<T>(organization: string, command: (binding: Place) => Promise<CommandResult<T>>): Promise<T> {
  return withBindingFrom({ current: currentSnapshot, next: nextSnapshot }, organization, command);
}

/** The same with the bindings given. */
export async function withBindingFrom<T>(
  source: BindingSource,
  organization: string,
  command: (binding: Place) => Promise<CommandResult<T>>,
): Promise<T> {
  const binding = requireBinding(organization, source.current());
  try {
    return await call(command(binding));
  } catch (thrown) {
    if (!(thrown instanceof CommandFailure) || thrown.error.kind !== "stalePlace") throw thrown;
    let snapshot = source.current();
    if (snapshot?.place?.generation === binding.generation) snapshot = await source.next(REBIND_TIMEOUT_MS);
    return call(command(requireBinding(organization, snapshot)));
  }
}

function requireBinding(organization: string, snapshot: Snapshot | null): Place {
  const binding = snapshot?.place;
  if (binding?.organization !== organization) throw new CommandFailure({ kind: "stalePlace" });
  return binding;
}
