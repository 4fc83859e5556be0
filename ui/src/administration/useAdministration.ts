/** Writes of the administration, with the error of the last one. */

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { CommandError, WindowBinding } from "../ipc/bindings";
import { commandError } from "../ipc/call";
import { withBinding } from "../state/withBinding";
import { useWorkspace } from "../state/workspace";

type Answer<T> = Promise<{ status: "ok"; data: T } | { status: "error"; error: CommandError }>;

export interface AdministrationWrite {
  busy: boolean;
  error: CommandError | null;
  clearError: () => void;
  /** Runs a command in the organization of the window, and reads the subject again. `undefined` if it failed. */
  run: <T>(command: (binding: WindowBinding) => Answer<T>) => Promise<T | undefined>;
}

/** `subject`: the second part of the query keys that a write makes outdated. */
export function useAdministration(subject: string): AdministrationWrite {
  const { organization } = useWorkspace();
  const client = useQueryClient();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<CommandError | null>(null);
  return {
    busy,
    error,
    clearError: () => setError(null),
    run: async (command) => {
      setBusy(true);
      setError(null);
      try {
        return await withBinding(organization.id, command);
      } catch (thrown) {
        setError(commandError(thrown));
        return undefined;
      } finally {
        setBusy(false);
        void client.invalidateQueries({ queryKey: [organization.id, subject] });
      }
    },
  };
}
