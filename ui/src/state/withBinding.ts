/** Calls that carry the window's binding. A call with an outdated binding is repeated once with the current one. */

import type { CommandError, Snapshot, WindowBinding } from "../ipc/bindings";
import { CommandFailure, call } from "../ipc/call";
import { currentSnapshot, nextSnapshot } from "./snapshotStore";

/** How long to wait for a snapshot with the current binding. */
const REBIND_TIMEOUT_MS = 2000;

type CommandResult<T> = { status: "ok"; data: T } | { status: "error"; error: CommandError };

/** Where the window's binding is read from. */
export interface BindingSource {
  current: () => Snapshot | null;
  /** The next snapshot, or the current one after a timeout. */
  next: (timeoutMs: number) => Promise<Snapshot | null>;
}

/**
 * Runs a command in an organization. Fails with `staleBinding`, before any call, if the window is bound to another one: data of
 * one organization is never sent to another.
 */
export function withBinding<T>(organization: string, command: (binding: WindowBinding) => Promise<CommandResult<T>>): Promise<T> {
  return withBindingFrom({ current: currentSnapshot, next: nextSnapshot }, organization, command);
}

/** The same with another source of bindings. */
export async function withBindingFrom<T>(
  source: BindingSource,
  organization: string,
  command: (binding: WindowBinding) => Promise<CommandResult<T>>,
): Promise<T> {
  const binding = requireBinding(organization, source.current());
  try {
    return await call(command(binding));
  } catch (thrown) {
    if (!(thrown instanceof CommandFailure) || thrown.error.kind !== "staleBinding") throw thrown;
    let snapshot = source.current();
    if (snapshot?.binding?.generation === binding.generation) snapshot = await source.next(REBIND_TIMEOUT_MS);
    return call(command(requireBinding(organization, snapshot)));
  }
}

function requireBinding(organization: string, snapshot: Snapshot | null): WindowBinding {
  const binding = snapshot?.binding;
  if (binding?.organization !== organization) throw new CommandFailure({ kind: "staleBinding" });
  return binding;
}
