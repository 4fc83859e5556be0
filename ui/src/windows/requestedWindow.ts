/** Opens a window for an entry or a shortcut that has no dialog. */

import { showWindowError } from "../errors/windowError";
import { call, commandError, commands } from "../ipc/call";

/** Opens another window for an organization. */
export function requestWindow(organization: string): void {
  showWindowError(null);
  call(commands.newWindow(organization)).catch((thrown: unknown) => showWindowError(commandError(thrown)));
}
