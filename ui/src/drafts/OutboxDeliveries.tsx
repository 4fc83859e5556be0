/**
 * Says what has become of the drafts of the organization that the outbox has sent in the background: in the window each time, and by one
 * notification of the system when the queue is done.
 */

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { showStatus } from "../components/statusMessage";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { draftsQuery, takeTold } from "../queries/draftQueries";
import { useWorkspace } from "../state/workspace";
import { tell } from "../windows/notices";
import { endedDeliveries, type WaitingDrafts } from "./endedDeliveries";

interface Seen {
  organization: string;
  waiting: WaitingDrafts;
  /** What has ended since the queue was done last: the id of each delivery. */
  sent: readonly string[];
  refused: readonly string[];
}

function nothingSeen(organization: string): Seen {
  return { organization, waiting: new Map(), sent: [], refused: [] };
}

/** The draft may be sent again later, with another change. */
function deliveryIds(ended: WaitingDrafts): string[] {
  return [...ended].map(([key, since]) => `${key} ${since}`);
}

export function OutboxDeliveries(): null {
  const { t } = useLocalizer();
  const client = useQueryClient();
  const { id, name } = useWorkspace().organization;
  const drafts = useQuery(draftsQuery(id)).data;
  const before = useRef(nothingSeen(id));
  useEffect(() => {
    if (!drafts) return;
    const last = before.current.organization === id ? before.current : nothingSeen(id);
    const candidates = new Map(last.waiting);
    for (const key of takeTold(client, id, drafts)) candidates.delete(key);
    const { sent, refused, waiting, isQueueDone } = endedDeliveries(candidates, drafts);
    const textOf = (sentCount: number, refusedCount: number) =>
      [
        sentCount > 0 && t("drafts-sent", { count: sentCount }),
        refusedCount > 0 && t("drafts-not-accepted", { count: refusedCount }),
      ]
        .filter(Boolean)
        .join(" ");
    const text = textOf(sent.size, refused.size);
    // Of several there is none that is meant.
    const [only] = sent.size === 1 && refused.size === 0 ? [...sent.keys()] : [];
    if (text !== "") showStatus(text, only === undefined ? undefined : { organization: id, key: only });
    const all = { sent: [...last.sent, ...deliveryIds(sent)], refused: [...last.refused, ...deliveryIds(refused)] };
    const told = isQueueDone ? textOf(all.sent.length, all.refused.length) : "";
    if (told !== "") tell({ id, name }, `delivery:${[...all.sent, ...all.refused].join()}`, told);
    before.current = { organization: id, waiting, ...(told === "" ? all : { sent: [], refused: [] }) };
  }, [client, drafts, id, name, t]);
  return null;
}
