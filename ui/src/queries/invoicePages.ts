/** Queries of the invoice list in pages of 100. Only visible pages are requested. */

import { keepPreviousData, type QueryClient, queryOptions, useQueries, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import type { CommandError, CurrencySum, InvoicePage, InvoiceQuery, InvoiceRow } from "../ipc/bindings";
import { commandError, commands } from "../ipc/call";
import { withBinding } from "../state/withBinding";

/** Filter and sort order of the list. */
export type InvoiceFilter = Omit<InvoiceQuery, "skip" | "pageSize">;

export const noFilter: InvoiceFilter = {
  status: [],
  kind: [],
  buyer: "",
  number: "",
  issuedFrom: "",
  issuedTo: "",
  dueFrom: "",
  dueTo: "",
  grossFrom: "",
  grossTo: "",
  currency: [],
  payment: [],
  submission: [],
  hasWarnings: false,
  sort: null,
};

export const PAGE_SIZE = 100;

/** The longest range of rows: each row of it is loaded and kept. All of the filter needs no rows. */
export const MAX_RANGE = 10_000;

/** How long a page that nothing shows stays cached: a list of a million rows is never held in memory. */
const PAGE_CACHE_MS = 60_000;

/** How many of them stay, of all filters: as many as the longest range has, whose other end asks for none of them again. */
const UNUSED_PAGES = MAX_RANGE / PAGE_SIZE;

/** Delay before the pages at a new scroll position are requested. */
const SCROLL_DEBOUNCE_MS = 80;

export function asOfKey(organization: string) {
  return [organization, "as-of"] as const;
}

/** The key of all lists of documents. */
export function invoicesKey(organization: string) {
  return [organization, "invoices"] as const;
}

export function pageQuery(organization: string, filter: InvoiceFilter, page: number) {
  return queryOptions({
    queryKey: [...invoicesKey(organization), filter, page] as const,
    queryFn: async ({ client }): Promise<InvoicePage> => {
      const answer = await withBinding(organization, (binding) =>
        commands.listInvoices(binding, { ...filter, skip: page * PAGE_SIZE, pageSize: PAGE_SIZE }),
      );
      client.setQueryData(asOfKey(organization), answer.asOf);
      removeUnusedPages(client, organization);
      return answer;
    },
    gcTime: PAGE_CACHE_MS,
  });
}

/** Removes the oldest of the pages that nothing shows: within a minute, scrolling and searching leave many. */
function removeUnusedPages(client: QueryClient, organization: string): void {
  const cache = client.getQueryCache();
  // One that is being read is waited for.
  const unused = cache.findAll({ queryKey: invoicesKey(organization), type: "inactive", fetchStatus: "idle" });
  for (const query of unused.slice(0, -UNUSED_PAGES)) cache.remove(query);
}

export interface InvoiceList {
  /** Number of rows of the filter; `undefined` before the first answer. */
  total: number | undefined;
  sums: readonly CurrencySum[];
  /** Whether the organization has a tax authority; `undefined` without an answer. */
  hasAuthority: boolean | undefined;
  /** The row at an index, once its page is loaded. */
  row: (index: number) => InvoiceRow | undefined;
  /** The rows of the pages that are loaded. */
  loaded: readonly InvoiceRow[];
  error: CommandError | null;
  /** The time of the oldest answer, if rows are earlier answers because the service cannot be reached. */
  offlineAsOf: string | null;
  /** Whether the rows are those of the previous filter. */
  outdated: boolean;
  /** All rows from one index to another; fails as the list does. */
  load: (from: number, to: number) => Promise<InvoiceRow[]>;
  /** Reads the list again, also the pages that are not shown now. */
  refresh: () => void;
}

/** The list around the visible rows. */
export function useInvoiceList(organization: string, filter: InvoiceFilter, firstRow: number, lastRow: number): InvoiceList {
  const first = useQuery({ ...pageQuery(organization, filter, 0), placeholderData: keepPreviousData });
  const others = useDebouncedPages(firstRow, lastRow);
  // What is equal to the result of the last render is the same object.
  const { answers, error } = useQueries({
    queries: others.map((page) => pageQuery(organization, filter, page)),
    combine: (pages) => ({
      answers: pages.map(({ data }) => data),
      error: pages.find((page) => page.error)?.error ?? null,
    }),
  });
  const { rows, loaded } = useMemo(() => {
    const read = [first.data, ...answers];
    const found = new Map<number, readonly InvoiceRow[]>();
    [0, ...others].forEach((page, index) => {
      const data = read[index];
      if (data) found.set(page, data.rows);
    });
    return { rows: found, loaded: [...found.values()].flat() };
  }, [first.data, others, answers]);
  const client = useQueryClient();
  const failed = first.error ?? error;
  return {
    total: first.data?.total,
    sums: first.data?.sums ?? [],
    hasAuthority: first.data?.hasAuthority,
    row: (index) => rows.get(Math.floor(index / PAGE_SIZE))?.[index % PAGE_SIZE],
    loaded,
    error: failed ? commandError(failed) : null,
    offlineAsOf: oldestOffline([first.data, ...answers]),
    outdated: first.isPlaceholderData,
    load: async (from, to) => {
      const found: InvoiceRow[] = [];
      for (let page = Math.floor(from / PAGE_SIZE); page <= Math.floor(to / PAGE_SIZE); page++) {
        // A page that a write has made outdated is read again: its rows have other places by now, or are gone.
        const answer = await client.fetchQuery(pageQuery(organization, filter, page));
        found.push(...answer.rows.slice(Math.max(0, from - page * PAGE_SIZE), to + 1 - page * PAGE_SIZE));
      }
      return found;
    },
    refresh: () => void client.invalidateQueries({ queryKey: invoicesKey(organization) }),
  };
}

function oldestOffline(pages: readonly (InvoicePage | undefined)[]): string | null {
  const times = pages.flatMap((page) => (page?.offline ? [page.asOf] : []));
  return times.toSorted()[0] ?? null;
}

/** The pages of the visible rows without the first page, which is always read, debounced. */
function useDebouncedPages(firstRow: number, lastRow: number): readonly number[] {
  const [pages, setPages] = useState<readonly number[]>([]);
  const from = Math.max(1, Math.floor(firstRow / PAGE_SIZE));
  const to = Math.floor(Math.max(firstRow, lastRow) / PAGE_SIZE);
  useEffect(() => {
    const timer = setTimeout(
      () => setPages(Array.from({ length: to - from + 1 }, (_, index) => from + index)),
      SCROLL_DEBOUNCE_MS,
    );
    return () => clearTimeout(timer);
  }, [from, to]);
  return pages;
}
