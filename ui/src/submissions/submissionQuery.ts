/** What the tax authority says about a document, read again while it has not answered. */

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { localizedText } from "../i18n/localizedText";
import type { InvoiceRow, SubmissionView } from "../ipc/bindings";
import { commands } from "../ipc/call";
import { invalidateDocuments } from "../queries/documentWrites";
import { invoiceKey } from "../queries/invoiceQuery";
import { usePreferences } from "../state/usePreferences";
import { withBinding } from "../state/withBinding";
import { useWorkspace } from "../state/workspace";
import { tell } from "../windows/notices";

/** How often it is read while the authority has not answered. */
const POLL_MS = 5_000;

/** Whether the authority has not answered yet. */
export function isWaiting(submission: SubmissionView | null | undefined): boolean {
  return submission?.state === "pending" || submission?.state === "unanswered";
}

export function submissionKey(organization: string, key: string) {
  return [organization, "submission", key] as const;
}

/** The submission of a numbered document. An answer changes the document, which is then read again. */
export function useSubmissionState(row: InvoiceRow) {
  const { key, status, stamp } = row;
  const { t, language } = useLocalizer();
  const { preferences } = usePreferences();
  const client = useQueryClient();
  const { organization } = useWorkspace();
  const query = useQuery({
    queryKey: [...submissionKey(organization.id, key), stamp],
    queryFn: () => withBinding(organization.id, (binding) => commands.getSubmission(binding, key)),
    enabled: status !== "draft",
    staleTime: 0,
    refetchInterval: ({ state }) => (isWaiting(state.data) ? POLL_MS : false),
  });
  const waiting = isWaiting(query.data);
  const waited = useRef(false);
  useEffect(() => {
    if (waited.current && query.data && !waiting) {
      void client.invalidateQueries({ queryKey: invoiceKey(organization.id, key) });
      invalidateDocuments(client, organization.id);
      const { state } = query.data;
      const answer = state === "rejected" ? "rejected" : "accepted";
      const text =
        preferences.notifications === "detailed"
          ? t(`notice-${answer}-detailed`, { number: row.number, buyer: localizedText(row.buyer, language) })
          : t(`notice-${answer}`);
      tell(organization, `submission:${key}:${stamp}:${state}`, text);
    }
    waited.current = waiting;
  }, [client, organization, key, stamp, query.data, waiting, row, preferences.notifications, t, language]);
  return query;
}
