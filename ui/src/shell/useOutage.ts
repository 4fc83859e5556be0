/** Whether the service is down for every organization, and whether that takes the place of the whole window. */

import { useQuery } from "@tanstack/react-query";
import { isOutage } from "../errors/outage";
import { useKeptRetry } from "../errors/usePendingRetry";
import type { PendingRetry } from "../ipc/bindings";
import { call, commandError, commands } from "../ipc/call";
import { noFilter, pageQuery } from "../queries/invoicePages";
import { useNavigation } from "../state/navigation";
import { useWorkspace } from "../state/workspace";
import type { OutagePageProps } from "./OutagePage";

export interface Outage {
  /** For the page; `null` while the window has something to show. */
  page: OutagePageProps | null;
  /** For a banner above what the window shows. */
  banner: PendingRetry | undefined;
}

export function useOutage(): Outage {
  const { organization, retries } = useWorkspace();
  const { view, navigate } = useNavigation();
  const list = useQuery(pageQuery(organization.id, noFilter, 0));
  const retry = retries.find(({ error }) => isOutage(error));
  // The page does not flicker while an attempt is running.
  const pending = useKeptRetry(retry, list.isFetching);
  if (view.name !== "invoices" || list.data) return { page: null, banner: retry };
  const onDrafts = () => navigate({ name: "drafts" });
  if (pending) {
    // The retry may have ended in the meantime. The result is the wanted one.
    const onTryNow = () => void call(commands.retryNow(pending.id)).catch(() => undefined);
    return { page: { error: pending.error, until: pending.until, onTryNow, onDrafts }, banner: undefined };
  }
  const error = list.error ? commandError(list.error) : null;
  if (error && isOutage(error))
    return { page: { error, until: null, onTryNow: () => void list.refetch(), onDrafts }, banner: undefined };
  return { page: null, banner: undefined };
}
