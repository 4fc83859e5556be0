/** Writes of the administration, with the error of the last one. */

import { useQueryClient } from "@tanstack/react-query";
import { type RefObject, useState } from "react";
import { useIsShown } from "../components/useIsShown";
import { useShowError } from "../errors/useShowError";
import { showAdministrationError } from "../errors/windowError";
import type { CommandError, WindowBinding } from "../ipc/bindings";
import { commandError } from "../ipc/call";
import type { RetryName } from "../ipc/commandNames";
import { withBinding } from "../state/withBinding";
import { useWorkspace } from "../state/workspace";

/** Writes of the administration that are tried again, as pending retries name them. */
export const RETRIED_WRITES = [
  "invite_user",
  "change_user",
  "reset_password",
  "create_machine_user",
  "revoke_personal_token",
  "roll_back_rules",
  "update_own_tenant",
  "update_tenant",
  "set_tenant_enabled",
  "assign_plan",
  "set_tenant_limits",
  "create_plan",
  "update_plan",
  "delete_plan",
  "save_authority",
] as const satisfies readonly RetryName[];

type Answer<T> = Promise<{ status: "ok"; data: T } | { status: "error"; error: CommandError }>;

export interface AdministrationWrite {
  busy: boolean;
  error: CommandError | null;
  clearError: () => void;
  /** Whether the form is still open: a write that ends after it was closed must not close the next one, with what was typed in it. */
  isShown: RefObject<boolean>;
  /**
   * Runs a command in the organization of the window, and reads the subject again. `undefined` if it failed. The error is kept, unless
   * `onFailure` returns true because it has done what the error asks for. That of a form that was closed is shown above the screen.
   */
  run: <T>(
    command: (binding: WindowBinding) => Answer<T>,
    onFailure?: (error: CommandError) => Promise<boolean>,
  ) => Promise<T | undefined>;
}

/** `subject`: the second part of the query keys that a write makes outdated. */
export function useAdministration(subject: string): AdministrationWrite {
  const { organization } = useWorkspace();
  const client = useQueryClient();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<CommandError | null>(null);
  const isShown = useIsShown();
  const showError = useShowError(true, showAdministrationError);
  return {
    busy,
    error,
    clearError: () => setError(null),
    isShown,
    run: async (command, onFailure) => {
      setBusy(true);
      setError(null);
      try {
        return await withBinding(organization.id, command);
      } catch (thrown) {
        const failed = commandError(thrown);
        // If it fails too, the error stands that it was called for.
        const isHandled = isShown.current && (await onFailure?.(failed).catch(() => false));
        if (!isHandled || !isShown.current) showError(failed, setError);
        return undefined;
      } finally {
        setBusy(false);
        void client.invalidateQueries({ queryKey: [organization.id, subject] });
      }
    },
  };
}
