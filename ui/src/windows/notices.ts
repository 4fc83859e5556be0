/** Notifications of the system. The core shows one only while no window of the organization has the focus, and if the user wants any. */

import { plainText } from "../i18n/localizer";
import type { OrganizationView } from "../ipc/bindings";
import { call, commands } from "../ipc/call";

/** The organization that a notification is about: that of the window, or another one of the account. */
export type Told = Pick<OrganizationView, "id" | "name">;

/** Tells the person once that what `id` names has ended. */
export function tell({ id: organization, name }: Told, id: string, text: string): void {
  const notice = { id: `${organization}:${id}`, title: name, text: plainText(text) };
  // Whoever is not told sees it in the window.
  void call(commands.notify(organization, notice)).catch(() => undefined);
}
