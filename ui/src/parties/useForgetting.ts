/** Takes remembered buyers and items out of the suggestions, and puts them back (decision 0188). */

import { useQueryClient } from "@tanstack/react-query";
import type { Forgetting } from "../components/useSuggestions";
import { showWindowError } from "../errors/windowError";
import type { CommandError, ItemView, PartyView, Permissions, WindowBinding } from "../ipc/bindings";
import { commandError, commands } from "../ipc/call";
import { knownPermissions } from "../queries/permissionsQuery";
import { withBinding } from "../state/withBinding";
import { useWorkspace } from "../state/workspace";
import { invalidateChanged } from "../windows/useChangedData";

type SetArchived<T> = (
  binding: WindowBinding,
  key: string,
  stamp: string,
  archived: boolean,
) => Promise<{ status: "ok"; data: T } | { status: "error"; error: CommandError }>;

export function usePartyForgetting(): Forgetting<PartyView> {
  return useForgetting<PartyView>("updateParties", commands.setPartyArchived);
}

export function useItemForgetting(): Forgetting<ItemView> {
  return useForgetting<ItemView>("updateItems", commands.setItemArchived);
}

function useForgetting<T extends PartyView | ItemView>(
  permission: keyof Permissions,
  setArchived: SetArchived<T>,
): Forgetting<T> {
  const client = useQueryClient();
  const { organization, session } = useWorkspace();
  const { id } = organization;
  return {
    // It is not sent later.
    isOffered: () => session.connectivity.state === "online" && knownPermissions(client, id)?.[permission] === true,
    set: async ({ key, stamp }, forgotten) => {
      try {
        return await withBinding(id, (binding) => setArchived(binding, key, stamp, forgotten));
      } catch (thrown) {
        showWindowError(commandError(thrown));
        return null;
      } finally {
        invalidateChanged(client, id, "masterData");
      }
    },
  };
}
