/** Leads to the details of the seller, once for all results of a bulk run that were refused because of them. */

import { isAboutSeller } from "../editor/fields";
import { OwnTenantHint } from "../errors/OwnTenantHint";
import type { BulkResult } from "../ipc/bindings";

export function SellerHint({ results }: { results: readonly BulkResult[] }) {
  return results.some(({ outcome }) => "error" in outcome && isAboutSeller(outcome.error)) ? <OwnTenantHint /> : null;
}
