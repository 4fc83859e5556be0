/** Selects a range of rows of which some may not be loaded. */

import { showStatus } from "../components/statusMessage";
import { useLatest } from "../components/useLatest";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { InvoiceRow } from "../ipc/bindings";
import { type InvoiceList, MAX_RANGE } from "../queries/invoicePages";
import { addRows, rangeEnds, rangeTo, type Selection } from "./selection";

/** Makes the range of a selection end at an index. The rows that are loaded are selected at once, and the others when they are. */
export function useRangeSelection(
  list: InvoiceList,
  onSelection: (change: (current: Selection) => Selection) => void,
  resetKey: string,
): (selection: Selection, index: number) => void {
  const { t } = useLocalizer();
  const latest = useLatest(resetKey);
  return (selection, index) => {
    const range = rangeTo(selection, index);
    const { from, to } = rangeEnds(range);
    if (to - from >= MAX_RANGE) {
      showStatus(t("range-too-long", { count: MAX_RANGE }));
      return;
    }
    const loaded: InvoiceRow[] = [];
    for (let at = from; at <= to; at++) {
      const row = list.row(at);
      if (row) loaded.push(row);
    }
    onSelection(() => addRows(range, loaded));
    if (loaded.length === to - from + 1) return;
    const asked = resetKey;
    /** Changes the selection, unless another filter has other rows by now, or another key has ended or taken back the range. */
    const settle = (rows: readonly InvoiceRow[]) => {
      if (latest.current !== asked) return;
      onSelection((current) => (isSameRange(current, range) ? addRows(rangeTo(current, index), rows) : current));
    };
    list.load(from, to).then(settle, () => {
      settle([]);
      showStatus(t("range-not-loaded"));
    });
  };
}

function isSameRange(one: Selection, other: Selection): boolean {
  return one.base === other.base && one.anchor === other.anchor && one.end === other.end;
}
