/** The filter of the list with the terms of the search field, debounced. */

import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useRef, useState } from "react";
import { type InvoiceFilter, pageQuery } from "../queries/invoicePages";
import { useNavigation } from "../state/navigation";
import { type SearchTerms, searchReadings } from "./filter";

/** Delay after the last input before the search filters the list. */
const SEARCH_DEBOUNCE_MS = 200;

export interface SearchFilter {
  filter: InvoiceFilter;
  /** Whether the filter is that of the text in the search field. */
  current: boolean;
  /** If the search is also a part of numbers: what is shown, how many rows the other reading has, and a switch to it. */
  otherReading: { shown: "amount" | "number"; amount: string; text: string; count: number; show: () => void } | null;
}

/** Digits alone are searched as an amount first; if no document has it, as a part of the number. */
export function useSearchFilter(organization: string, chosen: InvoiceFilter): SearchFilter {
  const { search } = useNavigation();
  const [debounced, setDebounced] = useState(search);
  const [reading, setReading] = useState<{ of: string; index: number } | null>(null);
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(search), SEARCH_DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [search]);
  const readings = useMemo(() => searchReadings(debounced), [debounced]);
  const ambiguous = readings.length > 1;
  const [amount, number] = readings.map((terms) => ({ ...chosen, ...terms }));
  const asAmount = useQuery({ ...pageQuery(organization, amount ?? chosen, 0), enabled: ambiguous });
  const asNumber = useQuery({ ...pageQuery(organization, number ?? chosen, 0), enabled: ambiguous });
  const picked = reading?.of === debounced ? reading.index : asAmount.data?.total === 0 ? 1 : 0;
  const decided = !ambiguous || !asAmount.isPending;
  const next = useMemo(() => ({ ...chosen, ...readings[ambiguous ? picked : 0] }), [chosen, readings, ambiguous, picked]);
  // Until it is decided, the list stays as it was.
  const last = useRef(next);
  if (decided) last.current = next;
  const other = picked === 0 ? asNumber.data?.total : asAmount.data?.total;
  return {
    filter: last.current,
    current: decided && debounced === search,
    otherReading:
      ambiguous && decided && other
        ? {
            shown: picked === 0 ? "amount" : "number",
            amount: amountOf(readings[0]),
            text: number?.number ?? "",
            count: other,
            show: () => setReading({ of: debounced, index: 1 - picked }),
          }
        : null,
  };
}

function amountOf(terms: SearchTerms | undefined): string {
  return terms?.grossFrom ?? "";
}
