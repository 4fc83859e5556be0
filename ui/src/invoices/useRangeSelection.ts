/** Selects a range of rows of which some are not loaded. */

import { useEffect, useRef } from "react";
import { showStatus } from "../components/statusMessage";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { InvoiceList } from "../queries/invoicePages";
import { addRows, type Selection } from "./selection";

/** The longest range: each row of it is loaded and kept. All of the filter needs no rows. */
export const MAX_RANGE = 10_000;

export function useRangeSelection(
  list: InvoiceList,
  onSelection: (change: (current: Selection) => Selection) => void,
  resetKey: string,
): (selection: Selection, from: number, to: number) => void {
  const { t } = useLocalizer();
  const latest = useRef(resetKey);
  useEffect(() => {
    latest.current = resetKey;
  });
  return (selection, from, to) => {
    if (to - from >= MAX_RANGE) {
      showStatus(t("range-too-long", { count: MAX_RANGE }));
      return;
    }
    onSelection(() => selection);
    const asked = resetKey;
    list.load(from, to).then(
      (rows) => {
        // Another filter has other rows.
        if (latest.current === asked) onSelection((current) => addRows(current, rows));
      },
      () => showStatus(t("range-not-loaded")),
    );
  };
}
