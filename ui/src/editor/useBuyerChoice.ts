/** Fills the form from a remembered buyer, and moves the focus to the next useful field. */

import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useRef } from "react";
import { announce } from "../components/announce";
import { useLatest } from "../components/useLatest";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { localizedText } from "../i18n/localizedText";
import type { BuyerContent, PartyView } from "../ipc/bindings";
import { knownPartyQuery } from "../parties/memoryQueries";
import { useWorkspace } from "../state/workspace";
import { focusField } from "./fields";
import { withParty } from "./rememberedContent";
import type { DraftEditor } from "./useDraftEditor";

export function useBuyerChoice({ state, dispatch }: DraftEditor): (party: PartyView) => void {
  const { t, language } = useLocalizer();
  const client = useQueryClient();
  const { organization } = useWorkspace();
  const content = useLatest(state.draft.content);
  // The one that was chosen last here: the query may have been forgotten, and the buyer's name changed.
  const filled = useRef<PartyView | null>(null);
  return useCallback(
    (party: PartyView) => {
      const known = (buyer: BuyerContent) => knownPartyQuery(organization.id, buyer).queryKey;
      const before = client.getQueryData(known(content.current.buyer)) ?? filled.current;
      client.setQueryData(known(party.buyer), party);
      filled.current = party;
      dispatch({ type: "filled", fill: (current) => withParty(current, party, before) });
      announce(t("buyer-filled", { name: localizedText(party.buyer.name, language) }));
      const { dueDate } = withParty(content.current, party, before);
      const next = dueDate === "" ? "terms" : `lines[0].description.${language}`;
      // The fields are rendered after this event.
      requestAnimationFrame(() => focusField(next));
    },
    [dispatch, t, language, content, client, organization.id],
  );
}
