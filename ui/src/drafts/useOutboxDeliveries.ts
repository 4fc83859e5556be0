/** Invalidates the lists and announces it when the outbox has delivered drafts in the background. */

import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { announce } from "../components/announce";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { invalidateDocuments } from "../queries/documentWrites";
import { invalidateDrafts } from "../queries/draftQueries";
import { useSnapshot } from "../state/snapshotStore";
import { useWorkspace } from "../state/workspace";

export function useOutboxDeliveries(): void {
  const client = useQueryClient();
  const { t } = useLocalizer();
  const { organization } = useWorkspace();
  const deliveries = useSnapshot()?.deliveries ?? 0;
  const before = useRef(deliveries);
  useEffect(() => {
    const count = deliveries - before.current;
    before.current = deliveries;
    if (count <= 0) return;
    invalidateDrafts(client, organization.id);
    invalidateDocuments(client, organization.id);
    announce(t("deliveries", { count }));
  }, [client, deliveries, organization.id, t]);
}
