/** Says what has become of the drafts of the organization that the outbox has sent in the background. */

import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { showStatus } from "../components/statusMessage";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { draftsQuery } from "../queries/draftQueries";
import { useWorkspace } from "../state/workspace";
import { endedDeliveries } from "./endedDeliveries";

export function OutboxDeliveries(): null {
  const { t } = useLocalizer();
  const { id } = useWorkspace().organization;
  const drafts = useQuery(draftsQuery(id)).data;
  const before = useRef<{ organization: string; waiting: ReadonlySet<string> }>({ organization: id, waiting: new Set() });
  useEffect(() => {
    if (!drafts) return;
    const last = before.current.organization === id ? before.current.waiting : new Set<string>();
    const { sent, refused, waiting } = endedDeliveries(last, drafts);
    before.current = { organization: id, waiting };
    const words = [sent > 0 && t("drafts-sent", { count: sent }), refused > 0 && t("drafts-not-accepted", { count: refused })];
    const text = words.filter(Boolean).join(" ");
    if (text !== "") showStatus(text);
  }, [drafts, id, t]);
  return null;
}
