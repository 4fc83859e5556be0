/** TanStack Virtual with scaled scroll positions, for lists of any length. */

import { defaultRangeExtractor, observeElementOffset, useVirtualizer } from "@tanstack/react-virtual";
import { type RefObject, useCallback, useLayoutEffect, useRef, useState } from "react";
import { useLatest } from "../components/useLatest";
import { usePreferences } from "../state/usePreferences";
import { offsetAfterScroll, offsetToReveal, type Position, physicalHeight, scrollTopFor } from "./scrollScaling";

/** The height of rows, `h-8`, by density. */
const ROW_HEIGHT = { comfortable: 32, compact: 28 } as const;

export interface ScaledRows {
  /** Rows to render, with their distance from the top of the scrolled element. */
  rows: { index: number; top: number }[];
  /** Height of the scrolled element. */
  height: number;
  first: number;
  last: number;
  /** Number of rows that fit in the viewport. */
  pageSize: number;
  reveal: (row: number) => void;
  /** How many rows are above the view, with a fraction. */
  rowsAbove: () => number;
}

/** `pinnedRow` is rendered even outside of the viewport, so that it keeps the focus. The rows begin with `initialRowsAbove` above the view. */
export function useScaledRows(
  scroller: RefObject<HTMLDivElement | null>,
  count: number,
  pinnedRow: number,
  initialRowsAbove = 0,
): ScaledRows {
  const rowHeight = ROW_HEIGHT[usePreferences().preferences.density];
  const initialOffset = initialRowsAbove * rowHeight;
  const position = useRef<Position>({ offset: initialOffset, scrollTop: initialOffset });
  const [shift, setShift] = useState(0);
  const contentHeight = count * rowHeight;

  const setPosition = useCallback((next: Position) => {
    position.current = next;
    setShift(next.scrollTop - next.offset);
  }, []);
  const virtualizer = useVirtualizer<HTMLDivElement, HTMLDivElement>({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 6,
    initialRect: { width: 800, height: 600 },
    initialOffset,
    rangeExtractor: (range) => {
      const rows = defaultRangeExtractor(range);
      return pinnedRow < count && !rows.includes(pinnedRow) ? [...rows, pinnedRow].toSorted((a, b) => a - b) : rows;
    },
    observeElementOffset: (instance, report) =>
      observeElementOffset(instance, (scrollTop, scrolling) => {
        const extent = {
          // The scroller is observed once: the height of a row may be another one by now.
          contentHeight: instance.options.count * instance.options.estimateSize(0),
          viewport: instance.scrollElement?.clientHeight ?? 0,
        };
        const offset = offsetAfterScroll(position.current, scrollTop, extent);
        // At rest, set the scroll bar to the position of the offset: wheel steps must not accumulate an error.
        const settled = scrolling ? scrollTop : scrollTopFor(offset, extent);
        if (settled !== scrollTop) instance.scrollElement?.scrollTo({ top: settled });
        setPosition({ offset, scrollTop: settled });
        report(offset, scrolling);
      }),
  });
  const scrollToOffset = useCallback(
    (wanted: number) => {
      const element = scroller.current;
      if (!element) return;
      const viewport = element.clientHeight;
      const offset = Math.min(wanted, Math.max(0, contentHeight - viewport));
      const scrollTop = scrollTopFor(offset, { contentHeight, viewport });
      setPosition({ offset, scrollTop });
      virtualizer.scrollOffset = offset;
      element.scrollTo({ top: scrollTop });
    },
    [scroller, contentHeight, setPosition, virtualizer],
  );
  const reveal = useCallback(
    (row: number) => {
      const { offset: before } = position.current;
      const offset = offsetToReveal(row, rowHeight, before, scroller.current?.clientHeight ?? 0);
      if (offset !== before) scrollToOffset(offset);
    },
    [scroller, rowHeight, scrollToOffset],
  );
  const left = useRef(initialOffset);
  const place = useLatest(() => scrollToOffset(left.current));
  useLayoutEffect(() => {
    // A list begins, or is shown again, where it was left. The virtualizer knows no scale, and the list may be shorter by now.
    if (left.current !== 0) place.current();
    return () => {
      left.current = position.current.offset;
    };
  }, [place]);
  const measured = useRef(rowHeight);
  useLayoutEffect(() => {
    if (measured.current === rowHeight) return;
    // The virtualizer measures rows once. The same row stays at the top.
    const offset = Math.round((position.current.offset / measured.current) * rowHeight);
    measured.current = rowHeight;
    virtualizer.measure();
    scrollToOffset(offset);
  }, [rowHeight, virtualizer, scrollToOffset]);
  const items = virtualizer.getVirtualItems();
  const range = virtualizer.range;
  return {
    rows: items.map(({ index, start }) => ({ index, top: start + shift })),
    height: physicalHeight({ contentHeight, viewport: 0 }),
    first: range?.startIndex ?? 0,
    last: range?.endIndex ?? 0,
    pageSize: Math.max(1, Math.floor((scroller.current?.clientHeight ?? rowHeight) / rowHeight) - 1),
    reveal,
    rowsAbove: () => position.current.offset / rowHeight,
  };
}
