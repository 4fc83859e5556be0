/** Search in the documents of the organization: those that the window has loaded at once, and those that the service finds. */

import { keepPreviousData, type QueryClient, queryOptions, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { searchReadings } from "../invoices/filter";
import type { CommandError, InvoicePage, InvoiceRow } from "../ipc/bindings";
import { commandError, commands } from "../ipc/call";
import { invoicesKey, noFilter } from "../queries/invoicePages";
import { useSearchPace } from "../queries/useSearchPace";
import { withBinding } from "../state/withBinding";

/** How many documents a search shows. */
const SHOWN = 8;

export interface DocumentSearch {
  /** What the service found for `text`; those of an earlier text are not shown. */
  rows: readonly InvoiceRow[];
  searching: boolean;
  error: CommandError | null;
}

const nothing: readonly InvoiceRow[] = [];

/** The documents that fit a text by number, buyer or amount. Only the answer to the newest text is shown. */
export function useDocumentSearch(organization: string, text: string): DocumentSearch {
  const typed = text.trim();
  const [asked, setAsked] = useState("");
  const answer = useQuery({
    ...documentsQuery(organization, asked),
    enabled: isAsked(asked),
    placeholderData: keepPreviousData,
  });
  useSearchPace(typed, asked, answer.isFetching, setAsked);
  if (!isAsked(typed)) return { rows: nothing, searching: false, error: null };
  const current = asked === typed && !answer.isPlaceholderData;
  return {
    rows: current ? (answer.data ?? nothing) : nothing,
    searching: !current || answer.isPending,
    error: current && answer.error ? commandError(answer.error) : null,
  };
}

/** One letter fits nearly every document. */
function isAsked(text: string): boolean {
  return text.length > 1;
}

function documentsQuery(organization: string, text: string) {
  return queryOptions({
    queryKey: [organization, "palette", text] as const,
    queryFn: async () => {
      const pages = await Promise.all(
        // A figure may be an amount, or a part of a number or of a buyer.
        searchReadings(text).map((terms) =>
          withBinding(organization, (binding) =>
            commands.listInvoices(binding, { ...noFilter, ...terms, skip: 0, pageSize: SHOWN }),
          ),
        ),
      );
      // The first of each reading first.
      const ranked = Array.from({ length: SHOWN }, (_, rank) => pages.flatMap(({ rows }) => rows[rank] ?? []));
      return unique(ranked.flat()).slice(0, SHOWN);
    },
    staleTime: 10_000,
    gcTime: 30_000,
  });
}

/** The documents of the lists that the window has loaded. */
export function loadedDocuments(client: QueryClient, organization: string): InvoiceRow[] {
  const pages = client.getQueriesData<InvoicePage>({ queryKey: invoicesKey(organization) });
  return unique(pages.flatMap(([, page]) => page?.rows ?? []));
}

export function unique(rows: readonly InvoiceRow[]): InvoiceRow[] {
  return [...new Map(rows.map((row) => [row.key, row])).values()];
}
