/** What a new document begins with: by the country of the organization, else by what it invoices most. */

import { useQueryClient } from "@tanstack/react-query";
import { useDefaultCurrency } from "../invoices/invoiceSummary";
import { defaultsQuery } from "../queries/defaultsQuery";
import { useWorkspace } from "../state/workspace";
import type { NewDocumentDefaults } from "./draftReducer";
import { standardRateOf } from "./invoiceLines";

export function useDocumentDefaults(): NewDocumentDefaults {
  const client = useQueryClient();
  const { organization } = useWorkspace();
  const usual = useDefaultCurrency();
  const known = client.getQueryData(defaultsQuery(organization.id).queryKey);
  if (known === undefined || known.currency === "") return { currency: usual, standardRate: standardRateOf(usual) };
  return { currency: known.currency, standardRate: known.standardRate };
}
