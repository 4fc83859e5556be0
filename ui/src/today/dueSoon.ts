/** The documents that are due in the next days, and what is open of them. */

import { useQuery } from "@tanstack/react-query";
import { groupBy } from "../components/groupBy";
import { toIsoDate } from "../components/isoDate";
import { sumDecimals } from "../invoices/decimal";
import type { InvoicePage, PaymentState } from "../ipc/bindings";
import { commands } from "../ipc/call";
import { invoicesKey, noFilter } from "../queries/invoicePages";
import { withBinding } from "../state/withBinding";
import type { WorkItem } from "./WorkRow";

const unpaid: PaymentState[] = ["open", "partlyPaid"];

/** How many days ahead "due soon" looks, today included. */
const SOON_DAYS = 7;

/** The most rows that the core reads at once. */
const MOST_ROWS = 500;

/** The filter of what is due soon. */
export function dueSoon(today: Date) {
  const last = new Date(today.getFullYear(), today.getMonth(), today.getDate() + SOON_DAYS - 1);
  return { payment: unpaid, dueFrom: toIsoDate(today), dueTo: toIsoDate(last) };
}

export function useDueSoon(organization: string, today: Date) {
  const filter = { ...noFilter, ...dueSoon(today) };
  return useQuery({
    queryKey: [...invoicesKey(organization), filter, "dueSoon"] as const,
    queryFn: () =>
      withBinding(organization, (binding) => commands.listInvoices(binding, { ...filter, skip: 0, pageSize: MOST_ROWS })),
    refetchOnMount: "always",
  });
}

/**
 * What is open, by currency. The service sums no open amounts of a filter: with more rows than one page has, the sums are those of whole
 * invoices, and say so.
 */
export function openSums({ rows, total, sums }: InvoicePage): Pick<WorkItem, "sums" | "sumLabel"> {
  const isWhole = rows.length >= total && rows.every(({ open }) => open !== "");
  if (!isWhole) return { sums: sums.map(({ currency, gross }) => ({ currency, amount: gross })), sumLabel: "gross" };
  const byCurrency = [...groupBy(rows, ({ currency }) => currency)].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return { sums: byCurrency.map(([currency, of]) => ({ currency, amount: sumDecimals(of.map(({ open }) => open)) })) };
}
