/** Calls a command and returns its value, or throws a `CommandFailure` with the typed error. */

import { type CommandError, commands } from "./bindings";

export { commands };

type CommandResult<T> = { status: "ok"; data: T } | { status: "error"; error: CommandError };

/** The error of a command. Its message is only the kind, so that no detail reaches a log. */
export class CommandFailure extends Error {
  readonly error: CommandError;

  constructor(error: CommandError) {
    super(error.kind);
    this.name = "CommandFailure";
    this.error = error;
  }
}

/** The value of a command. Throws a `CommandFailure`, also if Tauri itself rejects the call. */
export async function call<T>(answer: Promise<CommandResult<T>>): Promise<T> {
  let settled: CommandResult<T>;
  try {
    settled = await answer;
  } catch (refusal) {
    throw new CommandFailure({ kind: "invalidCall", reason: refusal instanceof Error ? refusal.message : String(refusal) });
  }
  if (settled.status === "ok") return settled.data;
  // Tauri rejects a command that is not permitted with a string.
  if (typeof settled.error === "string") throw new CommandFailure({ kind: "invalidCall", reason: settled.error });
  throw new CommandFailure(settled.error);
}

/** The typed error of any thrown value. */
export function commandError(thrown: unknown): CommandError {
  if (thrown instanceof CommandFailure) return thrown.error;
  return { kind: "invalidCall", reason: thrown instanceof Error ? thrown.message : String(thrown) };
}
