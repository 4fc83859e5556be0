/** What the frame shows of the list: how many invoices there are, and how old the last answer is. */

import { useQuery } from "@tanstack/react-query";
import { asOfKey, noFilter, pageQuery } from "../queries/invoicePages";
import { useWorkspace } from "../state/workspace";

/** All invoices of the organization, whatever the list is filtered by. */
export function useInvoiceCount(): number | undefined {
  const { organization } = useWorkspace();
  return useQuery(pageQuery(organization.id, noFilter, 0)).data?.total;
}

/** The currency that most of the organization's invoices are in; the Saudi riyal while there are none. */
export function useDefaultCurrency(): string {
  const { organization } = useWorkspace();
  const sums = useQuery(pageQuery(organization.id, noFilter, 0)).data?.sums ?? [];
  return sums.toSorted((a, b) => b.count - a.count)[0]?.currency ?? "SAR";
}

/** When the service last answered the list. */
export function useListUpdatedAt(): string | undefined {
  const { organization } = useWorkspace();
  return useQuery<string>({ queryKey: asOfKey(organization.id), queryFn: () => "", enabled: false }).data;
}
