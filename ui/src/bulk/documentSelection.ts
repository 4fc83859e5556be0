/** A selection of the list as the commands take it. */

import type { Selection } from "../invoices/selection";
import type { DocumentSelection } from "../ipc/bindings";
import type { InvoiceFilter } from "../queries/invoicePages";

export function documentSelection(selection: Selection, filter: InvoiceFilter): DocumentSelection {
  const rows = [...selection.rows.values()];
  return selection.base === "rows"
    ? { base: "rows", rows }
    : { base: "all", query: { ...filter, skip: 0, pageSize: 1 }, excluded: rows };
}
