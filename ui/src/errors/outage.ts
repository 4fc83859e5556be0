/** Errors that take the place of everything that the window shows. */

import type { CommandError } from "../ipc/bindings";

/** Whether the service is down for every organization. */
export function isOutage(error: CommandError): boolean {
  return error.kind === "organizationUnavailable" && !error.othersAnswer;
}
