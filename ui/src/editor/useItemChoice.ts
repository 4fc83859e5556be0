/** Fills a line from a remembered item, with the last price of the buyer. */

import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useRef } from "react";
import { announce } from "../components/announce";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { ItemView, PriceView } from "../ipc/bindings";
import { knownPartyQuery, lastPriceQuery } from "../parties/memoryQueries";
import { useWorkspace } from "../state/workspace";
import { lineOf } from "./rememberedContent";
import type { DraftEditor } from "./useDraftEditor";

export function useItemChoice({ state, dispatch }: DraftEditor): (index: number, item: ItemView) => void {
  const client = useQueryClient();
  const { t } = useLocalizer();
  const { organization } = useWorkspace();
  const latest = useRef(state);
  useEffect(() => {
    latest.current = state;
  });
  const { id } = organization;
  return useCallback(
    (index: number, item: ItemView) => {
      const { draft, lineIds } = latest.current;
      const { buyer, currency } = draft.content;
      const [line, lineId] = [draft.content.lines[index], lineIds[index]];
      if (!line || lineId === undefined) return;
      const lastPrice = async (): Promise<PriceView | null> => {
        const party = await client.fetchQuery(knownPartyQuery(id, buyer));
        return party && (await client.fetchQuery(lastPriceQuery(id, item.key, party.key)));
      };
      void lastPrice()
        .catch(() => null)
        .then((last) => {
          // One step to undo; what was typed meanwhile stays.
          dispatch({ type: "lineFilled", lineId, before: line, line: lineOf(item, last, currency) });
          announce(t(last ? "item-filled-last-price" : "item-filled"));
        });
    },
    [client, dispatch, id, t],
  );
}
