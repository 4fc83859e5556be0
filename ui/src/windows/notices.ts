/** Notifications of the system. The core shows one only while no window of the organization has the focus, and if the user wants any. */

import { plainText } from "../i18n/localizer";
import { commands } from "../ipc/call";
import { withBinding } from "../state/withBinding";

/** Tells the person once that what `id` names has ended. */
export function tell(organization: { id: string; name: string }, id: string, text: string): void {
  const notice = { id: `${organization.id}:${id}`, title: organization.name, text: plainText(text) };
  // Whoever is not told sees it in the window.
  void withBinding(organization.id, (binding) => commands.notify(binding, notice)).catch(() => undefined);
}
