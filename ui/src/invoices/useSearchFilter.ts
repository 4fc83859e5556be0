/** The filter of the list with the terms of the search field. One text is searched at a time. */

import { useQueries } from "@tanstack/react-query";
import { useMemo, useRef, useState } from "react";
import { type InvoiceFilter, pageQuery } from "../queries/invoicePages";
import { useSearchPace } from "../queries/useSearchPace";
import { useNavigation } from "../state/navigation";
import { isActive, type SearchTerms, searchReadings } from "./filter";

/** What a search text is taken for. */
export type ReadingKind = "amount" | "number" | "buyer";

/** How the text was read, if other readings find documents too. */
export interface ShownReading {
  shown: ReadingKind;
  /** The amount of a text that can be one. */
  amount: string;
  text: string;
  /** With how many documents each of the others has, and a switch to it. */
  others: readonly { kind: ReadingKind; count: number; show: () => void }[];
}

export interface SearchFilter {
  filter: InvoiceFilter;
  /** Whether the filter is that of the text in the search field. */
  current: boolean;
  reading: ShownReading | null;
}

/** The first reading that a document fits is shown; the others that find some are offered. */
export function useSearchFilter(organization: string, chosen: InvoiceFilter): SearchFilter {
  const { search } = useNavigation();
  const [asked, setAsked] = useState(search);
  const [wanted, setWanted] = useState<{ of: string; kind: ReadingKind } | null>(null);
  const hasAmounts = isActive(chosen, "gross");
  const readings = useMemo(() => searchReadings(asked, hasAmounts), [asked, hasAmounts]);
  const isSearch = asked.trim() !== "";
  // The list reads the same pages.
  const answers = useQueries({
    queries: readings.map((terms) => ({ ...pageQuery(organization, { ...chosen, ...terms }, 0), enabled: isSearch })),
  });
  useSearchPace(search, asked, isSearch && answers.some(({ isLoading }) => isLoading), setAsked);
  const total = (index: number) => answers[index]?.data?.total;
  const found = readings.findIndex((_, index) => total(index) !== 0);
  const switched = wanted?.of === asked ? readings.findIndex((terms) => kindOf(terms) === wanted.kind) : -1;
  const picked = switched === -1 ? Math.max(0, found) : switched;
  const decided = readings.length === 1 || !answers[picked]?.isPending;
  const next = useMemo(() => ({ ...chosen, ...readings[picked] }), [chosen, readings, picked]);
  // Until it is decided, the list stays as it was.
  const last = useRef(next);
  if (decided) last.current = next;
  const others = readings.flatMap((terms, index) => {
    const count = total(index);
    if (index === picked || !count) return [];
    const kind = kindOf(terms);
    return [{ kind, count, show: () => setWanted({ of: asked, kind }) }];
  });
  const [first] = readings;
  return {
    filter: last.current,
    current: decided && asked === search,
    reading:
      decided && others.length > 0
        ? { shown: kindOf(readings[picked]), amount: first?.grossFrom ?? "", text: asked.trim(), others }
        : null,
  };
}

function kindOf(terms: SearchTerms | undefined): ReadingKind {
  if (terms?.grossFrom !== undefined) return "amount";
  return terms?.number ? "number" : "buyer";
}
