/** Screen of the invoices: filters, list, sums and detail. */

import { useQueryClient } from "@tanstack/react-query";
import { FileText } from "lucide-react";
import { type Ref, Suspense, useCallback, useEffect, useRef, useState } from "react";
import { Button } from "../components/Button";
import { toIsoDate } from "../components/isoDate";
import { lazyComponent } from "../components/lazyComponent";
import { useResultAnnouncement } from "../components/useAnnouncement";
import { useLatest } from "../components/useLatest";
import { useMediaQuery } from "../components/useMediaQuery";
import { useTakeFocus } from "../components/useTakeFocus";
import { useNewDraft } from "../drafts/useNewDraft";
import { ErrorNotice } from "../errors/ErrorNotice";
import { useKeptRetry, usePendingRetry } from "../errors/usePendingRetry";
import { showWindowError } from "../errors/windowError";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { CommandError } from "../ipc/bindings";
import { shownColumns, withWidth } from "../listSettings/columns";
import { useListSettings } from "../listSettings/useListSettings";
import { todayOf } from "../organizations/today";
import { noFilter, useInvoiceList } from "../queries/invoicePages";
import { activeRow, useNavigation } from "../state/navigation";
import { useWorkspace } from "../state/workspace";
import { invalidateChanged } from "../windows/useChangedData";
import { isFiltering } from "./filter";
import { InvoiceGrid } from "./InvoiceGrid";
import { useListUpdatedAt } from "./invoiceSummary";
import { SumsBar } from "./SumsBar";
import { emptySelection } from "./selection";
import { useOpenFirstHit } from "./useOpenFirstHit";
import { useRangeSelection } from "./useRangeSelection";
import { useRefetchOnReconnect } from "./useRefetchOnReconnect";
import { useSearchFilter } from "./useSearchFilter";
import { useSelection } from "./useSelection";

const BulkRuns = lazyComponent(async () => (await import("../bulk/BulkRuns")).BulkRuns);
const SelectionActions = lazyComponent(async () => (await import("../bulk/SelectionActions")).SelectionActions);
const OfflineAge = lazyComponent(async () => (await import("./OfflineAge")).OfflineAge);
const RetryNotice = lazyComponent(async () => (await import("../errors/RetryNotice")).RetryNotice);
const SearchReading = lazyComponent(async () => (await import("./SearchReading")).SearchReading);
const ViewsBar = lazyComponent(async () => (await import("../listSettings/ViewsBar")).ViewsBar);
const FilterBar = lazyComponent(async () => (await import("./FilterBar")).FilterBar);
const InvoiceDetail = lazyComponent(async () => (await import("./InvoiceDetail")).InvoiceDetail);

/** Age at which the list is refetched when the window gets the focus. */
const STALE_MS = 60_000;

export function InvoicesScreen() {
  const { t } = useLocalizer();
  const client = useQueryClient();
  const { organization } = useWorkspace();
  const { openInvoiceKey, openInvoice, listFilter: chosen, setListFilter: setChosen } = useNavigation();
  const { settings, change } = useListSettings();
  const { filter, current, reading } = useSearchFilter(organization.id, chosen);
  const [range, setRange] = useState({ first: 0, last: 0 });
  const onRange = useCallback((first: number, last: number) => setRange({ first, last }), []);
  const list = useInvoiceList(organization.id, filter, range.first, range.last);
  // Until the new answer arrives, the rows are those of the filter or of the search before.
  const outdated = list.outdated || !current;
  const resetKey = JSON.stringify(filter);
  const isAnswered = list.total !== undefined && !list.outdated && !list.error;
  useResultAnnouncement(isFiltering(filter) ? resetKey : "", isAnswered ? (list.total ?? null) : null, t("empty-filtered"));
  const [selection, setSelection] = useSelection(list, resetKey);
  const selectRange = useRangeSelection(list, setSelection, resetKey);
  const wide = useMediaQuery("(min-width: 1100px)");
  const [shownRun, setShownRun] = useState<string | null>(null);
  const [focusDetail, setFocusDetail] = useState(false);

  useTakeFocus((list.total ?? 0) > 0, () =>
    document.querySelector<HTMLElement>(openInvoiceKey === null ? activeRow : "aside[data-detail]"),
  );
  const empty = useRef<HTMLDivElement>(null);
  useTakeFocus(list.total === 0, () => empty.current);
  const first = list.outdated ? undefined : list.row(0);
  useOpenFirstHit(current, isAnswered && list.total === 0 ? null : first?.key, (key) => {
    setFocusDetail(true);
    openInvoice(key);
  });
  const readAgain = () => invalidateChanged(client, organization.id, "documents");
  useRefetchOnFocus(readAgain);
  useRefetchOnReconnect(list.offlineAsOf !== null, list.refresh);
  const currencies = useSeenCurrencies(list.sums.map(({ currency }) => currency));
  const hasAuthority = useKnownAuthority(list.hasAuthority);
  const body =
    list.total === undefined || (list.error && list.total === 0) ? (
      <ListPlaceholder error={list.error} onRetry={list.refresh} />
    ) : list.total === 0 ? (
      <EmptyList ref={empty} filtered={isFiltering(filter)} onClear={() => setChosen(noFilter)} />
    ) : (
      <>
        {/* An ended session already has a banner of its own. */}
        {list.error && list.error.kind !== "sessionEnded" && (
          <ErrorNotice error={list.error} variant="banner" handlers={{ tryNow: list.refresh }} />
        )}
        <InvoiceGrid
          list={list}
          total={list.total}
          sort={chosen.sort}
          onSort={(sort) => setChosen({ ...chosen, sort })}
          selection={selection}
          onSelection={setSelection}
          onRangeSelection={selectRange}
          hasAuthority={hasAuthority}
          columns={settings.columns}
          today={toIsoDate(todayOf(organization))}
          onColumnWidth={(name, width) => change(({ columns }) => ({ columns: withWidth(shownColumns(columns), name, width) }))}
          opened={openInvoiceKey}
          onOpen={(key, focus) => {
            setFocusDetail(focus);
            openInvoice(key);
          }}
          detailFollows={wide}
          onRange={onRange}
          resetKey={resetKey}
        />
        <SumsBar
          selection={selection}
          total={list.total}
          all={list.sums}
          actions={
            <Suspense>
              <SelectionActions
                selection={selection}
                filter={filter}
                total={list.total}
                onStarted={(run) => {
                  setSelection(emptySelection);
                  setShownRun(run);
                }}
              />
            </Suspense>
          }
        />
      </>
    );
  return (
    <>
      <section className="flex min-w-0 flex-1 flex-col" aria-busy={outdated}>
        <Suspense
          fallback={
            <div className="min-h-19 shrink-0 border-line border-b">
              <h1 className="visually-hidden">{t("invoices")}</h1>
            </div>
          }
        >
          <ViewsBar filter={chosen} hasAuthority={hasAuthority} onFilter={setChosen} />
          <FilterBar
            filter={chosen}
            onFilter={setChosen}
            currencies={currencies}
            hasAuthority={hasAuthority}
            onRefresh={readAgain}
            refreshing={outdated}
          />
        </Suspense>
        <span aria-hidden="true" className={`-mt-0.5 h-0.5 shrink-0 ${outdated ? "pulse bg-accent" : ""}`} />
        <Suspense>
          <BulkRuns
            shown={shownRun}
            onShow={setShownRun}
            onOpen={(key) => {
              setFocusDetail(true);
              openInvoice(key);
            }}
          />
        </Suspense>
        {reading && (
          <Suspense>
            <SearchReading reading={reading} />
          </Suspense>
        )}
        {list.offlineAsOf !== null && (
          <Suspense>
            <OfflineAge asOf={list.offlineAsOf} />
          </Suspense>
        )}
        {body}
      </section>
      {(wide || openInvoiceKey !== null) && (
        <Suspense>
          <InvoiceDetail
            key={openInvoiceKey ?? ""}
            invoice={openInvoiceKey}
            sums={list.sums}
            slidesOver={!wide}
            takesFocus={focusDetail || !wide}
            onClose={() => closeDetail(openInvoice)}
          />
        </Suspense>
      )}
    </>
  );
}

/** Reads an outdated list again when the window gets the focus, and with it the document that is open beside it. */
function useRefetchOnFocus(readAgain: () => void) {
  const age = useListUpdatedAt();
  const latest = useLatest(readAgain);
  useEffect(() => {
    const refresh = () => {
      if (age !== undefined && Date.now() - Date.parse(age) > STALE_MS) latest.current();
    };
    window.addEventListener("focus", refresh);
    return () => window.removeEventListener("focus", refresh);
  }, [age, latest]);
}

/** Closes the detail and returns the focus to the list. */
function closeDetail(openInvoice: (key: string | null) => void) {
  openInvoice(null);
  document.querySelector<HTMLElement>(activeRow)?.focus();
}

/** Every currency seen in the lists of this organization: a filter must not hide the others from the choices. */
function useSeenCurrencies(seen: readonly string[]): readonly string[] {
  const known = useRef(new Set<string>());
  for (const currency of seen) known.current.add(currency);
  return [...known.current];
}

/** Whether the organization has a tax authority, by the latest answer: the views stay when a list cannot be read. */
function useKnownAuthority(answered: boolean | undefined): boolean {
  const known = useRef(false);
  if (answered !== undefined) known.current = answered;
  return known.current;
}

function EmptyList({ ref, filtered, onClear }: { ref: Ref<HTMLDivElement>; filtered: boolean; onClear: () => void }) {
  const { t } = useLocalizer();
  const { organization } = useWorkspace();
  const { setSearch } = useNavigation();
  const { start, available } = useNewDraft(showWindowError);
  const clear = () => {
    setSearch("");
    onClear();
  };
  return (
    <div ref={ref} tabIndex={-1} className="m-auto flex max-w-100 flex-col items-center gap-3 p-6 text-center">
      <FileText size={28} strokeWidth={1.25} aria-hidden="true" className="text-fg-3" />
      {/* What is found is announced. */}
      <p role="status" aria-live="off" className="text-md">
        {filtered ? t("empty-filtered") : t("empty-list", { organization: organization.name })}
      </p>
      {filtered ? (
        <Button onPress={clear}>{t("clear-filters")}</Button>
      ) : (
        available && (
          <Button variant="primary" shortcut="newInvoice" onPress={() => start(null)}>
            {t("new-invoice")}
          </Button>
        )
      )}
    </div>
  );
}

/** In place of the list: loading, a pending retry, or an error. */
function ListPlaceholder({ error, onRetry }: { error: CommandError | null; onRetry: () => void }) {
  const { t } = useLocalizer();
  const retry = useKeptRetry(usePendingRetry(["list_invoices"]), error === null);
  if (retry) {
    return (
      <Suspense>
        <RetryNotice retry={retry} variant="page" canStop={false} />
      </Suspense>
    );
  }
  if (error) {
    return <ErrorNotice error={error} variant="page" handlers={{ tryNow: onRetry }} />;
  }
  return (
    <div className="flex flex-1 flex-col" aria-busy="true">
      <p role="status" className="visually-hidden">
        {t("loading")}
      </p>
      {Array.from({ length: 14 }, (_, index) => (
        <div key={index} className="flex h-8 items-center gap-6 border-line border-b px-12">
          <span className="h-2 w-24 rounded-sm bg-line" />
          <span className="h-2 w-48 rounded-sm bg-line" />
        </div>
      ))}
    </div>
  );
}
