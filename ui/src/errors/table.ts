/**
 * The table from a `CommandError` to its presentation: severity, placement, message, actions.
 * Messages are in locales/*\/errors.ftl. A kind without a row does not compile. The server's message is never shown.
 */

import type { Localizer, MessageId } from "../i18n/localizer";
import type { CommandError } from "../ipc/bindings";
import type { ErrorAction } from "./actions";
import { computerErrors } from "./computerErrors";
import type { ErrorContext, ErrorDescription, ErrorKind, ErrorPlacement, ErrorRow, Severity } from "./errorRow";
import { serviceErrors } from "./serviceErrors";
import { sessionErrors } from "./sessionErrors";

const errorTable: { [K in ErrorKind]: ErrorRow<K> } = { ...serviceErrors, ...sessionErrors, ...computerErrors };

/** Lines about what has gone well in the end, where the person should know what happened. */
export const quietLines = {
  /** Another user has changed other fields of the document, and both changes are kept. */
  merged: { severity: "info", placement: "inline", message: "error-merged", actions: ["showBoth"] },
  /** An attempt whose answer was lost had created the document. The line is in that document, so that it offers no way to it. */
  createdEarlier: { severity: "info", placement: "inline", message: "error-exists-own", actions: [] },
} as const satisfies Record<
  string,
  { severity: Severity; placement: ErrorPlacement; message: MessageId; actions: readonly ErrorAction[] }
>;

/** Where an error is shown. */
export function placementOf(error: CommandError): ErrorPlacement {
  const { placement } = errorTable[error.kind] as ErrorRow<ErrorKind>;
  return typeof placement === "function" ? placement(error) : placement;
}

/** The error in the language of the localizer, with its placement and actions. */
export function describeError(error: CommandError, context: ErrorContext, localizer: Localizer): ErrorDescription {
  // TypeScript cannot infer that the row of a kind takes the error of that kind.
  const row = errorTable[error.kind] as ErrorRow<ErrorKind>;
  return {
    severity: row.severity,
    placement: placementOf(error),
    text: row.message(error, context, localizer),
    actions: typeof row.actions === "function" ? row.actions(error, context) : row.actions,
  };
}
