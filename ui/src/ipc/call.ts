/** The way to a command: its value, or a `CommandFailure` that holds its typed error. */

import { type CommandError, commands } from "./bindings";

export { commands };

type CommandResult<T> = { status: "ok"; data: T } | { status: "error"; error: CommandError };

/** What a command failed with. The message is the kind only: nothing of the error leaks into logs. */
export class CommandFailure extends Error {
  readonly error: CommandError;

  constructor(error: CommandError) {
    super(error.kind);
    this.name = "CommandFailure";
    this.error = error;
  }
}

/** The value of a command. Throws a `CommandFailure`, also when the shell itself refuses the call. */
export async function call<T>(answer: Promise<CommandResult<T>>): Promise<T> {
  let settled: CommandResult<T>;
  try {
    settled = await answer;
  } catch (refusal) {
    throw new CommandFailure({ kind: "badCall", reason: refusal instanceof Error ? refusal.message : String(refusal) });
  }
  if (settled.status === "ok") return settled.data;
  // A command that the shell does not let through answers with a sentence and not with an error of ours.
  if (typeof settled.error === "string") throw new CommandFailure({ kind: "badCall", reason: settled.error });
  throw new CommandFailure(settled.error);
}

/** The typed error of whatever was thrown. */
export function commandError(thrown: unknown): CommandError {
  if (thrown instanceof CommandFailure) return thrown.error;
  return { kind: "badCall", reason: thrown instanceof Error ? thrown.message : String(thrown) };
}
