/** What the frame shows of the list: how many invoices there are, and how old the last answer is. */

import { useQuery } from "@tanstack/react-query";
import { useWorkplace } from "../app/workplace";
import { noFilter } from "./filter";
import { asOfKey, pageQuery } from "./pages";

/** All invoices of the organization, whatever the list is filtered by. */
export function useInvoiceTotal(): number | undefined {
  const { organization } = useWorkplace();
  return useQuery(pageQuery(organization.id, noFilter, 0)).data?.total;
}

/** The currency that most of the organization's invoices are in; the Saudi riyal while there are none. */
export function useOwnCurrency(): string {
  const { organization } = useWorkplace();
  const sums = useQuery(pageQuery(organization.id, noFilter, 0)).data?.sums ?? [];
  return sums.toSorted((a, b) => b.count - a.count)[0]?.currency ?? "SAR";
}

/** When the service last answered the list. */
export function useListAge(): string | undefined {
  const { organization } = useWorkplace();
  return useQuery<string>({ queryKey: asOfKey(organization.id), queryFn: () => "", enabled: false }).data;
}
