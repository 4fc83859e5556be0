/** Fills the form from a remembered buyer, and moves the focus to the next useful field. */

import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useRef, useState } from "react";
import { announce } from "../components/announce";
import { keyCaps, keysOf } from "../components/shortcuts";
import { useLatest } from "../components/useLatest";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { localizedText } from "../i18n/localizedText";
import type { BuyerContent, InvoiceContent, PartyView } from "../ipc/bindings";
import { knownPartyQuery } from "../parties/memoryQueries";
import { useWorkspace } from "../state/workspace";
import { focusField } from "./fields";
import { withParty } from "./rememberedContent";
import type { DraftEditor } from "./useDraftEditor";

export interface BuyerChoice {
  choose: (party: PartyView) => void;
  /** The remembered buyer that was chosen or kept last in this form, whose details may have been changed since; `null` if none was. */
  chosen: PartyView | null;
  /** The buyer of the form is remembered as it was typed. */
  setChosen: (party: PartyView) => void;
  /** The buyer whose currency the document did not take, because it has amounts in its own; `null` if there is none. */
  withOtherCurrency: PartyView | null;
}

interface BuyerChoiceOptions extends Pick<DraftEditor, "state" | "dispatch"> {
  /** Whether the document is being sent: what is dispatched changes nothing. */
  isReadOnly: boolean;
}

export function useBuyerChoice({ state, dispatch, isReadOnly }: BuyerChoiceOptions): BuyerChoice {
  const { t, language } = useLocalizer();
  const client = useQueryClient();
  const { organization } = useWorkspace();
  const content = useLatest(state.draft.content);
  const readOnly = useLatest(isReadOnly);
  // The one that was chosen last here, and the due date that it gave: the query may have been forgotten, and the buyer's name or the issue
  // date changed.
  const filled = useRef<{ party: PartyView; dueDate: string } | null>(null);
  const [chosen, setChosen] = useState<PartyView | null>(null);
  const [kept, setKept] = useState<{ party: PartyView; currency: string } | null>(null);
  const choose = useCallback(
    (party: PartyView) => {
      if (readOnly.current) return;
      const known = (buyer: BuyerContent) => knownPartyQuery(organization.id, buyer).queryKey;
      const before = client.getQueryData(known(content.current.buyer)) ?? filled.current?.party ?? null;
      const filledDueDate = filled.current?.dueDate ?? "";
      const fill = (current: InvoiceContent) => withParty(current, party, before, filledDueDate);
      client.setQueryData(known(party.buyer), party);
      dispatch({ type: "filled", fill });
      announce(t("buyer-filled", { name: localizedText(party.buyer.name, language), keys: keyCaps(keysOf("undo")).join("+") }));
      const { dueDate, currency } = fill(content.current);
      setChosen(party);
      setKept(party.currency === "" || party.currency === currency ? null : { party, currency });
      filled.current = { party, dueDate: dueDate === content.current.dueDate ? filledDueDate : dueDate };
      const next = dueDate === "" ? "terms" : `lines[0].description.${language}`;
      // The fields are rendered after this event.
      requestAnimationFrame(() => focusField(next));
    },
    [dispatch, t, language, content, readOnly, client, organization.id],
  );
  // Undo takes the buyer back, and a currency that somebody has chosen since is an answer.
  const { buyer, currency } = state.draft.content;
  const isKept = kept !== null && kept.currency === currency && hasSameName(kept.party.buyer, buyer);
  return { choose, chosen, setChosen, withOtherCurrency: isKept ? kept.party : null };
}

function hasSameName(one: BuyerContent, other: BuyerContent): boolean {
  return one.name.ar === other.name.ar && one.name.en === other.name.en;
}
