/** Drafts that waited and do not any more: the lists are read anew, and a person is told. */

import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { useWorkplace } from "../app/workplace";
import { listHasChanged } from "../invoices/pages";
import { announce } from "../parts/announce";
import { useSnapshot } from "../session/feed";
import { useWords } from "../words/WordsProvider";
import { draftsHaveChanged } from "./draftsQuery";

export function useDeliveries(): void {
  const client = useQueryClient();
  const { t } = useWords();
  const { organization } = useWorkplace();
  const deliveries = useSnapshot()?.deliveries ?? 0;
  const before = useRef(deliveries);
  useEffect(() => {
    const count = deliveries - before.current;
    before.current = deliveries;
    if (count <= 0) return;
    draftsHaveChanged(client, organization.id);
    listHasChanged(client, organization.id);
    announce(t("deliveries", { count }));
  }, [client, deliveries, organization.id, t]);
}
