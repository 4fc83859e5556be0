/** Ctrl+1 to Ctrl+9: the first nine organizations in the order of the switcher. */

import { useEffect } from "react";
import { useWorkplace } from "../app/workplace";
import { dialogIsOpen, matches } from "../parts/keys";
import { useSwitch } from "./useSwitch";

export function usePinnedShortcuts(): void {
  const { session } = useWorkplace();
  const { to } = useSwitch();
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
