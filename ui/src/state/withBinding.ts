/** Runs commands with the binding of the window. An outdated generation is renewed once. */

import type { CommandError, Snapshot, WindowBinding } from "../ipc/bindings";
import { CommandFailure, call } from "../ipc/call";
import { currentSnapshot, nextSnapshot } from "./snapshotStore";

/** How long to wait for the snapshot with the new binding. */
const REBIND_TIMEOUT_MS = 2000;

type CommandResult<T> = { status: "ok"; data: T } | { status: "error"; error: CommandError };

/** Where the binding of the window is read from. */
export interface BindingSource {
  current: () => Snapshot | null;
  /** The next snapshot, or the current one after the timeout. */
  next: (timeoutMs: number) => Promise<Snapshot | null>;
}

/**
 * Runs a command in an organization. Fails with `staleBinding`, before any call, if the window is bound to another organization:
 * a command for one organization is never sent to another.
 */
export function withBinding<T>(organization: string, command: (binding: WindowBinding) => Promise<CommandResult<T>>): Promise<T> {
  return withBindingFrom({ current: currentSnapshot, next: nextSnapshot }, organization, command);
}

/** As `withBinding`, with the source as an argument for tests. */
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
