/** The country of the organization, which decides on the reasons of exemptions. */

import { useQuery } from "@tanstack/react-query";
import { defaultsQuery } from "../../queries/defaultsQuery";
import { useWorkspace } from "../../state/workspace";

/** ISO 3166-1 alpha-2; empty while it is not known. */
export function useSellerCountry(): string {
  const { organization } = useWorkspace();
  return useQuery(defaultsQuery(organization.id)).data?.country ?? "";
}
