/** Ctrl+1 to Ctrl+9 switch to the first nine organizations, in the order of the switcher. */

import { useEffect } from "react";
import { isDialogOpen } from "../components/openDialogs";
import { matchesShortcut } from "../components/shortcuts";
import { showWindowError } from "../errors/windowError";
import { useWorkspace } from "../state/workspace";
import { useSwitchOrganization } from "./useSwitchOrganization";

export function useOrganizationShortcuts(): void {
  const { session } = useWorkspace();
  const { switchTo } = useSwitchOrganization(showWindowError);
  const { organizations } = session;
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (isDialogOpen()) return;
      const organization = organizations.slice(0, 9).find((_, index) => matchesShortcut(event, `Mod+${index + 1}`));
      if (!organization) return;
      event.preventDefault();
      void switchTo(organization.id);
    };
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, [organizations, switchTo]);
}
