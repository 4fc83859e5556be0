/** One row for each organization of the user: what needs work there. It reads them all and is bound to none (decision 0135). */

import { useQueries, useQuery } from "@tanstack/react-query";
import { ArrowDown, ArrowUp, Download, RefreshCw } from "lucide-react";
import { type KeyboardEvent, useRef, useState } from "react";
import { Button as AriaButton } from "react-aria-components";
import { Button } from "../components/Button";
import { useAnnouncement, useResultAnnouncement } from "../components/useAnnouncement";
import { useTakeFocus } from "../components/useTakeFocus";
import { ErrorNotice } from "../errors/ErrorNotice";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { plainText } from "../i18n/localizer";
import { useSavedTable } from "../insights/useSavedTable";
import { commandError } from "../ipc/call";
import { search } from "../organizations/search";
import { useSwitchOrganization } from "../organizations/useSwitchOrganization";
import { draftCountsQuery } from "../queries/draftCountsQuery";
import { clientOverviewQuery, keptOverviewsQuery } from "../queries/reportQueries";
import { openFirst } from "../state/firstView";
import { useNavigation } from "../state/navigation";
import { useWorkspace } from "../state/workspace";
import { ClientRow } from "./ClientRow";
import { clientsTable } from "./clientsTable";
import { type ClientSort, type ClientSortField, nextClientSort, sortClients } from "./sortClients";

/** The columns, and which of them a narrow window hides. */
const columns = [
  { field: "name", end: false, narrow: true },
  { field: "drafts", end: true, narrow: true },
  { field: "rejected", end: true, narrow: false },
  { field: "overdue", end: true, narrow: true },
] as const satisfies readonly { field: ClientSortField; end: boolean; narrow: boolean }[];

export function ClientsScreen() {
  const localizer = useLocalizer();
  const { t, locale, format } = localizer;
  const { session, organization: current } = useWorkspace();
  const { navigate } = useNavigation();
  const { switchTo, error } = useSwitchOrganization();
  const [sort, setSort] = useState<ClientSort>({ field: "overdue", descending: true });
  const [text, setText] = useState("");
  const body = useRef<HTMLTableSectionElement>(null);
  const account = `${session.environment.name} ${session.account.subject}`;
  const kept = useQuery(keptOverviewsQuery(account)).data;
  const unsent = useQuery(draftCountsQuery(account));
  const answers = useQueries({
    queries: session.organizations.map(({ id }) => ({ ...clientOverviewQuery(account, id), refetchOnMount: "always" as const })),
  });
  const byId = new Map(session.organizations.map(({ id }, index) => [id, answers[index]]));
  const clients = session.organizations.map((organization) => ({
    organization,
    overview: byId.get(organization.id)?.data ?? kept?.get(organization.id),
    unsent: unsent.data && (unsent.data.get(organization.id)?.count ?? 0),
  }));
  const found = new Set(search(session.organizations, text));
  const shown = sortClients(clients, sort, locale).filter(({ organization }) => found.has(organization));
  const { save, saveError } = useSavedTable(() => ({ name: plainText(t("clients")), rows: clientsTable(shown, localizer) }));
  useResultAnnouncement(text, shown.length, t("switcher-none"));
  const answered = answers.filter(({ isFetching }) => !isFetching).length;
  const isReading = answered < answers.length;
  const progress = isReading
    ? t("clients-reading", { done: format.integer(answered), all: format.integer(answers.length) })
    : t("clients-count", { count: session.organizations.length });
  // The begin and the end, and not each answer between them.
  useAnnouncement(progress, isReading ? "reading" : "read");
  const refreshAll = () => {
    for (const answer of answers) void answer.refetch();
    void unsent.refetch();
  };
  useTakeFocus(true, () => document.querySelector<HTMLElement>("[data-client]"));

  const open = async (id: string) => {
    if (id === current.id) navigate({ name: "today" });
    else {
      openFirst({ name: "today" });
      if (!(await switchTo(id))) openFirst(null);
    }
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const rows = [...(body.current?.querySelectorAll<HTMLElement>("[data-client]") ?? [])];
    const at = rows.findIndex((row) => row === event.target);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 }[event.key];
    if (at < 0 || to === undefined) return;
    event.preventDefault();
    rows[to]?.focus();
  };
  return (
    <section className="flex min-w-0 flex-1 flex-col" aria-busy={isReading}>
      <header className="flex min-h-10 shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-line border-b px-4 py-1">
        <h1 className="font-semibold text-md">{t("clients")}</h1>
        <span className="text-fg-2 text-xs">{progress}</span>
        <input
          type="search"
          aria-label={t("clients-search")}
          placeholder={t("clients-search")}
          value={text}
          dir={text === "" ? undefined : "auto"}
          onChange={(event) => setText(event.target.value)}
          className="ms-auto h-7 w-56 min-w-0 rounded-md border border-control bg-surface px-2 max-narrow:w-full"
        />
        <Button size="sm" onPress={refreshAll} icon={<RefreshCw size={13} aria-hidden="true" />}>
          {t("refresh")}
        </Button>
        {shown.length > 0 && (
          <Button size="sm" onPress={() => void save()} icon={<Download size={13} aria-hidden="true" />}>
            {t("clients-save")}
          </Button>
        )}
      </header>
      {error && <ErrorNotice error={error} variant="banner" />}
      {saveError && <ErrorNotice error={saveError} variant="banner" />}
      <div className="min-h-0 flex-1 overflow-y-auto">
        <table className="w-full border-collapse">
          <thead className="sticky top-0 z-10 bg-surface">
            <tr className="text-fg-2 text-xs">
              {columns.map(({ field, end, narrow }) => (
                <th
                  key={field}
                  scope="col"
                  aria-sort={sort.field !== field ? "none" : sort.descending ? "descending" : "ascending"}
                  className={`border-line-strong border-b px-1 py-1 whitespace-nowrap first:ps-3 ${end ? "amount-column" : "text-start"} ${narrow ? "" : "max-narrow:hidden"}`}
                >
                  <AriaButton
                    onPress={() => setSort(nextClientSort(sort, field))}
                    className="inline-flex min-h-6 items-center gap-1 rounded-sm px-1 font-semibold max-narrow:px-0 data-[hovered]:text-fg"
                  >
                    {t(`clients-${field}`)}
                    {sort.field === field &&
                      (sort.descending ? <ArrowDown size={12} aria-hidden="true" /> : <ArrowUp size={12} aria-hidden="true" />)}
                  </AriaButton>
                </th>
              ))}
              <th
                scope="col"
                className="amount-column whitespace-nowrap border-line-strong border-b px-2 font-semibold max-narrow:hidden"
              >
                {t("clients-overdue-amount")}
              </th>
              <th
                scope="col"
                className="amount-column whitespace-nowrap border-line-strong border-b px-2 font-semibold max-wide:hidden"
              >
                {t("clients-open-amount")}
              </th>
              <th
                scope="col"
                className="border-line-strong border-b whitespace-nowrap px-3 text-end font-semibold max-narrow:hidden"
              >
                {t("clients-as-of")}
              </th>
            </tr>
          </thead>
          {/* The arrow keys move between the buttons of its rows. */}
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
          <tbody ref={body} onKeyDown={onKeyDown}>
            {shown.map((client) => {
              const answer = byId.get(client.organization.id);
              const notMade = unsent.data?.get(client.organization.id)?.problem ?? null;
              return (
                <ClientRow
                  key={client.organization.id}
                  client={client}
                  current={client.organization.id === current.id}
                  reading={answer?.isFetching ?? false}
                  error={answer?.error ? commandError(answer.error) : (client.overview?.errors[0] ?? notMade)}
                  onOpen={() => void open(client.organization.id)}
                  onRetry={() => {
                    void answer?.refetch();
                    if (notMade) void unsent.refetch();
                  }}
                />
              );
            })}
          </tbody>
        </table>
        {shown.length === 0 && <p className="p-6 text-center text-fg-2">{t("switcher-none")}</p>}
      </div>
    </section>
  );
}
