/** Fills a line from a remembered item, with the last price of the buyer, which is asked for as soon as the item is suggested. */

import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useMemo, useRef } from "react";
import { announce } from "../components/announce";
import { useLatest } from "../components/useLatest";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { ItemView, PriceView } from "../ipc/bindings";
import { knownPartyQuery, lastPriceQuery } from "../parties/memoryQueries";
import { useWorkspace } from "../state/workspace";
import { lineOf } from "./rememberedContent";
import type { DraftEditor } from "./useDraftEditor";

/** How long a line waits for the last price. After that it is filled with the price of the item. */
const LAST_PRICE_MS = 3_000;

export interface ItemChoice {
  /** Whether the line is filled: none is while the document is sent. */
  choose: (index: number, item: ItemView) => boolean;
  /** The item is suggested first: Enter would choose it. */
  expect: (item: ItemView) => void;
}

interface ItemChoiceOptions extends Pick<DraftEditor, "state" | "dispatch" | "trackFill"> {
  /** Whether the document is being sent: what is dispatched changes nothing. */
  isReadOnly: boolean;
}

export function useItemChoice({ state, dispatch, trackFill, isReadOnly }: ItemChoiceOptions): ItemChoice {
  const client = useQueryClient();
  const { t } = useLocalizer();
  const { organization } = useWorkspace();
  const latest = useLatest(state);
  const readOnly = useLatest(isReadOnly);
  const { id } = organization;
  const lastPrice = useCallback(
    async (item: ItemView): Promise<PriceView | null> => {
      const party = await client.fetchQuery(knownPartyQuery(id, latest.current.draft.content.buyer));
      return party && (await client.fetchQuery(lastPriceQuery(id, item.key, party.key)));
    },
    [client, id, latest],
  );
  const expect = useCallback((item: ItemView) => void lastPrice(item).catch(() => null), [lastPrice]);
  // The prices that items have filled, by the id of the line.
  const filledPrices = useRef(new Map<number, string>());
  const choose = useCallback(
    (index: number, item: ItemView) => {
      const { draft, lineIds } = latest.current;
      const [line, lineId] = [draft.content.lines[index], lineIds[index]];
      if (!line || lineId === undefined || readOnly.current) return false;
      const answer = Promise.race([lastPrice(item).catch(() => null), nothingAfter(LAST_PRICE_MS)]);
      trackFill(
        answer.then((last) => {
          // As it is now: a buyer that was chosen meanwhile can have changed it.
          const { currency } = latest.current.draft.content;
          const filled = lineOf(item, last, currency, line, filledPrices.current.get(lineId));
          const { unitPrice = "" } = filled;
          if (unitPrice !== line.unitPrice) filledPrices.current.set(lineId, unitPrice);
          // One step to undo; what was typed meanwhile stays.
          dispatch({ type: "lineFilled", lineId, before: line, line: filled });
          announce(t(last ? "item-filled-last-price" : "item-filled"));
        }),
      );
      return true;
    },
    [lastPrice, dispatch, trackFill, t, latest, readOnly],
  );
  return useMemo(() => ({ choose, expect }), [choose, expect]);
}

function nothingAfter(milliseconds: number): Promise<null> {
  return new Promise((resolve) => setTimeout(() => resolve(null), milliseconds));
}
