/** The commands that apply now: each shortcut that something listens for, and what else a view offers to the command palette. */

import { useEffect, useMemo } from "react";
import type { MessageId } from "../i18n/localizer";
import { useLatest } from "./useLatest";
import { createValueStore, useValueStore } from "./valueStore";

export interface Command {
  id: string;
  label: MessageId;
  /** As in the table of shortcuts. */
  keys?: string | undefined;
  /** Whether it also applies while a dialog is open. */
  overDialogs?: boolean;
  run: () => void;
}

const store = createValueStore<readonly Command[]>([]);

/** Adds a command. Returns a function that removes it. */
export function registerCommand(command: Command): () => void {
  store.set([...store.get(), command]);
  return () => store.set(store.get().filter((each) => each !== command));
}

/** The commands of the views that are shown, each once: the one that was added last counts. `covered`: a dialog is open. */
export function applicableCommands(covered = false): Command[] {
  return distinct(store.get()).filter(({ overDialogs }) => !covered || overDialogs);
}

function distinct(commands: readonly Command[]): Command[] {
  return [...new Map(commands.map((command) => [command.id, command])).values()];
}

/** Runs a command that applies, as the palette would. */
export function runCommand(id: string, covered = false): void {
  applicableCommands(covered)
    .find((command) => command.id === id)
    ?.run();
}

/** As `applicableCommands`, rendered again when others apply. */
export function useApplicableCommands(): Command[] {
  const commands = useValueStore(store);
  return useMemo(() => distinct(commands), [commands]);
}

/** A command of a view without a shortcut, as long as the view is shown. */
export function useCommand(id: string, label: MessageId, run: () => void): void {
  const latest = useLatest(run);
  useEffect(() => registerCommand({ id, label, run: () => latest.current() }), [id, label, latest]);
}
