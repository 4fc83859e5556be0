/** Facts about the invoice list for other parts of the window: count, main currency, age. */

import { useQuery } from "@tanstack/react-query";
import { asOfKey, noFilter, pageQuery } from "../queries/invoicePages";
import { useWorkspace } from "../state/workspace";

/** The number of invoices of the organization, without any filter. */
export function useInvoiceCount(): number | undefined {
  const { organization } = useWorkspace();
  return useQuery(pageQuery(organization.id, noFilter, 0)).data?.total;
}

/** The currency of most invoices of the organization; SAR if there are none. */
export function useDefaultCurrency(): string {
  const { organization } = useWorkspace();
  const sums = useQuery(pageQuery(organization.id, noFilter, 0)).data?.sums ?? [];
  return sums.toSorted((a, b) => b.count - a.count)[0]?.currency ?? "SAR";
}

/** The time of the last answer of the service to the list. */
export function useListUpdatedAt(): string | undefined {
  const { organization } = useWorkspace();
  return useQuery<string>({ queryKey: asOfKey(organization.id), queryFn: () => "", enabled: false }).data;
}
