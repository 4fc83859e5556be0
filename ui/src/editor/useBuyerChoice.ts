/** Fills the form from a remembered buyer, and moves the focus to the next useful field. */

import { useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { announce } from "../components/announce";
import { useLatest } from "../components/useLatest";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { localizedText } from "../i18n/localizedText";
import type { PartyView } from "../ipc/bindings";
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
  return useCallback(
    (party: PartyView) => {
      client.setQueryData(knownPartyQuery(organization.id, party.buyer).queryKey, party);
      dispatch({ type: "filled", fill: (current) => withParty(current, party) });
      announce(t("buyer-filled", { name: localizedText(party.buyer.name, language) }));
      const { dueDate } = withParty(content.current, party);
      const next = dueDate === "" ? "terms" : `lines[0].description.${language}`;
      // The fields are rendered after this event.
      requestAnimationFrame(() => focusField(next));
    },
    [dispatch, t, language, content, client, organization.id],
  );
}
