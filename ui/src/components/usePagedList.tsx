/** A list that the service gives in pages: what is loaded of it, and a button for the next page. */

import { type InfiniteData, type UseInfiniteQueryResult, useInfiniteQuery } from "@tanstack/react-query";
import { type ReactNode, useRef } from "react";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { plainText } from "../i18n/localizer";
import { announce } from "./announce";
import { Button } from "./Button";
import { keepFocus } from "./keepFocus";
import { useResultAnnouncement } from "./useAnnouncement";

interface Page {
  /** Empty at the end. */
  nextPage: string;
}

export interface PagedList<P, T> {
  query: UseInfiniteQueryResult<InfiniteData<P>>;
  /** Those of all pages that are loaded. */
  rows: T[] | undefined;
  /** Stands under the list. */
  end: ReactNode;
}

/** `read` gets an empty text for the first page. */
export function usePagedList<P extends Page, T>(
  queryKey: readonly string[],
  read: (page: string) => Promise<P>,
  rowsOf: (page: P) => readonly T[],
): PagedList<P, T> {
  const { t } = useLocalizer();
  const all = useRef<HTMLParagraphElement>(null);
  const query = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam }) => read(pageParam),
    initialPageParam: "",
    getNextPageParam: ({ nextPage }) => nextPage || undefined,
    staleTime: 0,
    placeholderData: (before) => before,
  });
  const rows = query.data?.pages.flatMap((page) => rowsOf(page));
  const showMore = async () => {
    // A button that is disabled loses the focus.
    if (query.isFetching) return;
    const { data, isFetchNextPageError } = await query.fetchNextPage();
    // The list shows why, and as many rows as before.
    if (isFetchNextPageError) return;
    announce(plainText(t("list-shown", { count: data?.pages.flatMap((page) => rowsOf(page)).length ?? 0 })));
    keepFocus(() => all.current);
  };
  const end = query.hasNextPage ? (
    <div>
      <Button onPress={() => void showMore()}>{t(query.isFetchingNextPage ? "loading" : "list-more")}</Button>
    </div>
  ) : (
    (query.data?.pages.length ?? 0) > 1 && (
      <p ref={all} tabIndex={-1} className="text-fg-2">
        {t("list-end", { count: rows?.length ?? 0 })}
      </p>
    )
  );
  return { query, rows, end };
}

/** Announces how many rows there are for a search or a filter of the list, which is empty without one. `none` says that there are none. */
export function usePagedResultAnnouncement<P, T>({ query, rows }: PagedList<P, T>, search: string, none: string): void {
  // Until the answer is there the list has the rows of the search before.
  useResultAnnouncement(search, rows && !query.isPlaceholderData ? rows.length : null, none, query.hasNextPage);
}
