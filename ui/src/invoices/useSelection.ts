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
  // Compared in the rendering: the effects of a list that is shown again run once more, and would take what is ticked.
  const [before, setBefore] = useState({ resetKey, outdated });
  if (before.resetKey !== resetKey || before.outdated !== outdated) {
    setBefore({ resetKey, outdated });
    if (before.resetKey !== resetKey) setSelection(emptySelection);
    // Until the new filter is answered, the rows of the former one could be selected. All of the filter is all of the new one.
    if (before.outdated && !outdated) setSelection(({ base }) => (base === "all" ? selectionOfAll : emptySelection));
  }
  useEffect(() => {
    if (!outdated && total !== undefined) setSelection((current) => withLoadedRows(current, loaded, total));
  }, [loaded, total, outdated]);
  return [selection, setSelection];
}
