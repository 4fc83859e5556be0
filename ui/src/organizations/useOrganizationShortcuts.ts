/** Ctrl+1 to Ctrl+9: the first nine organizations in the order of the switcher. */

import { useEffect } from "react";
import { dialogIsOpen, matches } from "../components/shortcuts";
import { useWorkspace } from "../state/workspace";
import { useSwitchOrganization } from "./useSwitchOrganization";

export function useOrganizationShortcuts(): void {
  const { session } = useWorkspace();
  const { to } = useSwitchOrganization();
  const { organizations } = session;
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (dialogIsOpen()) return;
      const organization = organizations.slice(0, 9).find((_, index) => matches(event, `Mod+${index + 1}`));
      if (!organization) return;
      event.preventDefault();
      void to(organization.id);
    };
    window.addEventListener("keydown", listen);
    return () => window.removeEventListener("keydown", listen);
  }, [organizations, to]);
}
