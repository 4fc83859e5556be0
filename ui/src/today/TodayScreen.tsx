/** What needs work now in the organization of the window, and the month so far. Each row opens the list with its filter. */

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Button } from "../components/Button";
import { toIsoDate } from "../components/isoDate";
import { useTakeFocus } from "../components/useTakeFocus";
import { ErrorNotice } from "../errors/ErrorNotice";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { OfflineAge } from "../invoices/OfflineAge";
import { useRefetchOnReconnect } from "../invoices/useRefetchOnReconnect";
import { commandError } from "../ipc/call";
import { todayOf } from "../organizations/today";
import { draftsQuery } from "../queries/draftQueries";
import { type InvoiceFilter, noFilter } from "../queries/invoicePages";
import { monthlySumsQuery, overviewQuery } from "../queries/reportQueries";
import { useNavigation } from "../state/navigation";
import { useWorkspace } from "../state/workspace";
import { recurringDraftsQuery } from "../templates/templateQueries";
import { dueSoon, openSums, useDueSoon } from "./dueSoon";
import { MonthSoFar } from "./MonthSoFar";
import { type WorkItem, WorkRow } from "./WorkRow";

export function TodayScreen() {
  const { t, format } = useLocalizer();
  const { organization } = useWorkspace();
  const { navigate, setSearch } = useNavigation();
  const today = todayOf(organization);
  const month = toIsoDate(today).slice(0, 7);
  const overview = useQuery({ ...overviewQuery(organization.id), refetchOnMount: "always" });
  const drafts = useQuery({ ...draftsQuery(organization.id), refetchOnMount: "always" });
  const recurring = useQuery(recurringDraftsQuery(useQueryClient(), organization.id));
  const months = useQuery({ ...monthlySumsQuery(organization.id, month, month), refetchOnMount: "always" });
  const soon = useDueSoon(organization.id, today);
  const refresh = () => {
    for (const query of [overview, drafts, months, soon]) void query.refetch();
  };
  const work = overview.data;
  useRefetchOnReconnect(work?.kept ?? false, refresh);
  useTakeFocus(true, () => document.querySelector<HTMLElement>("[data-today]"));
  const inState = (...states: readonly string[]) => drafts.data?.filter(({ state }) => states.includes(state)).length;
  const openList = (filter: Partial<InvoiceFilter>) => () => {
    setSearch("");
    navigate({ name: "invoices", filter: { ...noFilter, ...filter } });
  };
  const openDrafts = () => navigate({ name: "drafts" });

  const items: WorkItem[] = [
    { id: "unknown", count: inState("unknownOutcome", "waitingInDoubt"), severity: "warning", open: openDrafts },
    { id: "refused", count: inState("refused"), severity: "danger", open: openDrafts },
    { id: "recurring", count: recurring.data?.ready.length, open: openDrafts },
    { id: "unsent", count: inState("editing", "waiting", "sending"), open: openDrafts },
    {
      id: "rejected",
      count: work?.rejected?.count,
      severity: "danger",
      sums: work?.rejected?.sums.map(({ currency, gross }) => ({ currency, amount: gross })),
      open: openList({ status: ["rejected"] }),
    },
    {
      id: "overdue",
      count: work?.overdue?.count,
      severity: "warning",
      sums: work?.ageing
        ?.filter(({ buckets }) => buckets.slice(1).some(({ length }) => length !== 0))
        .map(({ currency, overdue }) => ({ currency, amount: overdue })),
      open: openList({ payment: ["overdue"], sort: { field: "dueDate", descending: false } }),
    },
    {
      id: "soon",
      count: soon.data?.total,
      ...(soon.data && openSums(soon.data)),
      open: openList(dueSoon(today)),
    },
    {
      id: "drafts",
      count: work?.drafts?.count,
      sums: work?.drafts?.sums.map(({ currency, gross }) => ({ currency, amount: gross })),
      open: openList({ status: ["draft"] }),
    },
  ];
  const errors = [
    ...(work?.errors ?? []),
    ...[overview.error, drafts.error, soon.error].flatMap((error) => (error ? [commandError(error)] : [])),
  ];
  const error = errors[0];
  return (
    // Its rows may be long in coming, if the service does not answer.
    <section
      data-today=""
      tabIndex={-1}
      aria-label={t("today")}
      className="flex min-w-0 flex-1 flex-col focus-visible:outline-none"
    >
      <header className="flex min-h-10 shrink-0 flex-wrap items-baseline gap-x-3 border-line border-b px-4 py-2">
        <h1 className="font-semibold text-md">{t("today")}</h1>
        <span className="text-fg-2">{format.date(toIsoDate(today))}</span>
      </header>
      {work?.kept && work.asOf && <OfflineAge asOf={work.asOf} />}
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className="mx-auto flex max-w-200 flex-col gap-6 p-4">
          {error && <ErrorNotice error={error} variant="card" handlers={{ tryNow: refresh }} />}
          <section aria-labelledby="work-title" className="flex flex-col gap-2">
            <h2 id="work-title" className="font-semibold">
              {t("today-work")}
            </h2>
            <ul className="flex flex-col overflow-clip rounded-md border border-line">
              {items.map((item) => (
                <WorkRow key={item.id} item={item} pending={overview.isPending || drafts.isPending} />
              ))}
            </ul>
          </section>
          <MonthSoFar
            sums={months.data}
            error={months.error && commandError(months.error)}
            onRetry={() => void months.refetch()}
          />
          <div>
            <Button onPress={() => navigate({ name: "insights" })}>{t("today-insights")}</Button>
          </div>
        </div>
      </div>
    </section>
  );
}
