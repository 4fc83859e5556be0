/** What a window shows is read again when it is shown again after another sign-in. */

import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { reloadOrganization } from "./useChangedData";

/** Others may have changed what the window shows, and the roles of the account, since its last session ended. */
export function useReadAgainOnReturn(isShown: boolean, organization: string | undefined): void {
  const client = useQueryClient();
  const wasShown = useRef(isShown);
  useEffect(() => {
    const isBack = isShown && !wasShown.current;
    wasShown.current = isShown;
    if (!isBack || organization === undefined) return;
    void client.invalidateQueries({ queryKey: [organization, "permissions"] });
    reloadOrganization(client, organization);
  }, [client, isShown, organization]);
}
