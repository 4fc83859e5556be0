/** The audit: who did what and when, in the organization of an administrator, or everywhere for an operator (decision 0147). */

import { useInfiniteQuery } from "@tanstack/react-query";
import { Download, RefreshCw } from "lucide-react";
import { useDeferredValue, useRef, useState } from "react";
import { announce } from "../components/announce";
import { Button } from "../components/Button";
import { keepFocus } from "../components/keepFocus";
import { LoadingText } from "../components/LoadingText";
import { showStatus } from "../components/statusMessage";
import { useResultAnnouncement } from "../components/useAnnouncement";
import { useShowError } from "../errors/useShowError";
import { showAdministrationError } from "../errors/windowError";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { plainText } from "../i18n/localizer";
import type { AuditEventView, AuditPage, AuditQuery, AuditScope, CommandError } from "../ipc/bindings";
import { call, commandError, commands } from "../ipc/call";
import { withBinding } from "../state/withBinding";
import { useWorkspace } from "../state/workspace";
import { AdministrationError } from "./AdministrationError";
import { AuditEventRow } from "./AuditEventRow";
import { AuditFilters } from "./AuditFilters";
import { type AuditFilter, auditQuery, firstAuditFilter, hasUnfinishedDay, withWholeDays } from "./auditFilter";
import { auditTable } from "./auditText";

/** How many events a saved table has at the most. */
const MAX_SAVED = 5_000;

export function OrganizationAudit() {
  return <Audit scope="organization" />;
}

export function PlatformAudit() {
  return <Audit scope="platform" />;
}

function Audit({ scope }: { scope: AuditScope }) {
  const { t } = useLocalizer();
  const { organization } = useWorkspace();
  const [today, setToday] = useState(() => new Date());
  // What is typed, and what is asked for.
  const [{ filter, whole }, setFilter] = useState({ filter: firstAuditFilter, whole: firstAuditFilter });
  const wanted = useDeferredValue(whole);
  const query = auditQuery(wanted, scope, today);
  const queryText = JSON.stringify(query);
  const end = useRef<HTMLParagraphElement>(null);
  const events = useInfiniteQuery({
    queryKey: [organization.id, "audit", queryText],
    queryFn: ({ pageParam }) => withBinding(organization.id, (binding) => commands.listAuditEvents(binding, query, pageParam)),
    initialPageParam: "",
    getNextPageParam: ({ nextPage }) => nextPage || undefined,
    // The service records every read: none is made without a person who asked for it, but the newest events are read anew.
    gcTime: 0,
    // The row whose button has set the filter keeps the focus.
    placeholderData: (before) => before,
  });
  const saved = useSavedEvents(organization.id, query);
  const shown = events.data?.pages.flatMap((page) => page.events);
  // Nobody has asked for what the first filter shows.
  const asked = wanted === firstAuditFilter ? "" : queryText;
  const count = shown && !events.isPlaceholderData ? shown.length : null;
  useResultAnnouncement(asked, count, t("audit-none"), events.hasNextPage);
  const announceShown = (pages: readonly AuditPage[]) => {
    const all = pages.reduce((sum, page) => sum + page.events.length, 0);
    announce(plainText(t("audit-shown", { count: all })));
  };
  const change = (changed: Partial<AuditFilter>) =>
    setFilter((before) => {
      const next = { ...before.filter, ...changed };
      return { filter: next, whole: withWholeDays(next, before.whole) };
    });
  const readAgain = async () => {
    const now = new Date();
    if (JSON.stringify(auditQuery(wanted, scope, now)) !== queryText) {
      // The events of another day are another query, which is read by itself.
      setToday(now);
      return;
    }
    const { data, isError } = await events.refetch();
    if (!isError) announceShown(data?.pages ?? []);
  };
  const loadMore = async () => {
    // A button that is disabled loses the focus.
    if (events.isFetching) return;
    const { data, isError } = await events.fetchNextPage();
    if (!isError) announceShown(data?.pages ?? []);
    keepFocus(() => end.current);
  };
  return (
    <>
      <p className="text-fg-2">{t(scope === "platform" ? "audit-hint-platform" : "audit-hint")}</p>
      <AuditFilters scope={scope} filter={filter} onChange={change} />
      <div className="flex flex-wrap gap-2">
        <Button onPress={() => void readAgain()} icon={<RefreshCw size={14} aria-hidden="true" />}>
          {t("audit-refresh")}
        </Button>
        <Button
          onPress={() => void saved.save()}
          isDisabled={!shown || shown.length === 0}
          isBusy={saved.busy}
          icon={<Download size={14} aria-hidden="true" />}
        >
          {t("audit-save")}
        </Button>
        {hasUnfinishedDay(filter) && <p className="self-center text-fg-2">{t("audit-day-unfinished")}</p>}
      </div>
      {saved.error && <AdministrationError error={saved.error} />}
      {events.error && <AdministrationError error={commandError(events.error)} onRetry={() => void events.refetch()} />}
      {events.isPending && <LoadingText />}
      {shown?.length === 0 && (
        <p className="rounded-md border border-line-strong bg-surface px-3 py-4 text-fg-2">{t("audit-none")}</p>
      )}
      {shown && shown.length > 0 && (
        <>
          <AuditTable events={shown} scope={scope} onPerson={(person) => change({ person })} />
          {events.hasNextPage ? (
            <div>
              <Button onPress={() => void loadMore()}>{t(events.isFetchingNextPage ? "loading" : "audit-more")}</Button>
            </div>
          ) : (
            <p ref={end} tabIndex={-1} className="text-fg-2">
              {t("audit-end")}
            </p>
          )}
        </>
      )}
    </>
  );
}

function AuditTable({
  events,
  scope,
  onPerson,
}: {
  events: readonly AuditEventView[];
  scope: AuditScope;
  onPerson: Parameters<typeof AuditEventRow>[0]["onPerson"];
}) {
  const { t } = useLocalizer();
  const withOrganization = scope === "platform";
  return (
    <div className="rounded-md border border-line-strong bg-surface">
      <table className="w-full">
        <caption className="visually-hidden">{t("administration-audit")}</caption>
        <thead>
          <tr className="border-line-strong border-b text-fg-2 text-xs">
            <th scope="col" className="w-36 px-2 py-1 text-start font-semibold max-narrow:w-auto">
              {t("audit-time")}
            </th>
            <th scope="col" className="px-2 py-1 text-start font-semibold">
              {t("audit-kind")}
            </th>
            <th scope="col" className="px-2 py-1 text-start font-semibold">
              {t("audit-who")}
            </th>
            {withOrganization && (
              <th scope="col" className="px-2 py-1 text-start font-semibold max-narrow:hidden">
                {t("audit-organization")}
              </th>
            )}
            <th scope="col" className="px-2 py-1 text-start font-semibold max-narrow:hidden">
              {t("audit-application")}
            </th>
          </tr>
        </thead>
        <tbody>
          {events.map((event) => (
            <AuditEventRow
              key={`${event.time} ${event.id}`}
              event={event}
              withOrganization={withOrganization}
              onPerson={onPerson}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Saves the events of a query, also those that no page has loaded yet. */
function useSavedEvents(organization: string, query: AuditQuery) {
  const localizer = useLocalizer();
  const { t } = localizer;
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<CommandError | null>(null);
  // Reading all of them takes a while.
  const showError = useShowError(true, showAdministrationError);
  const save = async () => {
    setBusy(true);
    setError(null);
    try {
      const events: AuditEventView[] = [];
      let page = "";
      do {
        const after = page;
        const answer = await withBinding(organization, (binding) => commands.listAuditEvents(binding, query, after));
        events.push(...answer.events);
        page = answer.nextPage;
      } while (page !== "" && events.length < MAX_SAVED);
      const rows = auditTable(events, localizer);
      if (await call(commands.saveTable(plainText(t("administration-audit")), rows))) {
        const count = events.length;
        showStatus(plainText(page === "" ? t("audit-saved", { count }) : t("audit-saved-part", { count })));
      }
    } catch (thrown) {
      showError(commandError(thrown), setError);
    } finally {
      setBusy(false);
    }
  };
  return { busy, error, save };
}
