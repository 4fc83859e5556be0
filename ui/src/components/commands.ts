/** The commands that apply now: each shortcut that something listens for, and what else a view offers to the command palette. */

import { useEffect, useRef, useSyncExternalStore } from "react";
import type { MessageId } from "../i18n/localizer";

export interface Command {
  id: string;
  label: MessageId;
  /** As in the table of shortcuts. */
  keys?: string | undefined;
  run: () => void;
}

const registered = new Set<Command>();
const listeners = new Set<() => void>();
let revision = 0;

function changed(): void {
  revision += 1;
  for (const listener of listeners) listener();
}

/** Adds a command. Returns a function that removes it. */
export function registerCommand(command: Command): () => void {
  registered.add(command);
  changed();
  return () => {
    registered.delete(command);
    changed();
  };
}

/** The commands of the views that are shown, each once: the one that was added last counts. */
export function applicableCommands(): Command[] {
  return [...new Map([...registered].map((command) => [command.id, command])).values()];
}

/** Runs a command that applies, as the palette would. */
export function runCommand(id: string): void {
  applicableCommands()
    .find((command) => command.id === id)
    ?.run();
}

/** A number that changes with the commands that apply. */
export function useApplicableCommands(): number {
  return useSyncExternalStore(subscribe, () => revision);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** A command of a view without a shortcut, as long as the view is shown. */
export function useCommand(id: string, label: MessageId, run: () => void): void {
  const latest = useRef(run);
  useEffect(() => {
    latest.current = run;
  });
  useEffect(() => registerCommand({ id, label, run: () => latest.current() }), [id, label]);
}
