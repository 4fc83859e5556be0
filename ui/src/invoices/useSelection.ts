/** The selected rows of the list, as long as its filter has them. */

import { type Dispatch, type SetStateAction, useEffect, useState } from "react";
import type { InvoiceList } from "../queries/invoicePages";
import { emptySelection, type Selection, selectionOfAll, withLoadedRows } from "./selection";

/** `resetKey` names the filter: another one begins with nothing selected. */
export function useSelection(
  { loaded, total, outdated }: Pick<InvoiceList, "loaded" | "total" | "outdated">,
  resetKey: string,
): [Selection, Dispatch<SetStateAction<Selection>>] {
  const [selection, setSelection] = useState<Selection>(emptySelection);
  useEffect(() => setSelection(emptySelection), [resetKey]);
  useEffect(() => {
    // Until the new filter is answered, the rows of the former one could be selected. All of the filter is all of the new one.
    if (!outdated) setSelection(({ base }) => (base === "all" ? selectionOfAll : emptySelection));
  }, [outdated]);
  useEffect(() => {
    if (!outdated && total !== undefined) setSelection((current) => withLoadedRows(current, loaded, total));
  }, [loaded, total, outdated]);
  return [selection, setSelection];
}
