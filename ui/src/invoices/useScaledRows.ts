/** TanStack Virtual over a list of any length: which rows to draw, and where, with the scroll position scaled. */

import { defaultRangeExtractor, observeElementOffset, useVirtualizer } from "@tanstack/react-virtual";
import { type RefObject, useCallback, useRef, useState } from "react";
import { follow, offsetToReveal, type Position, physicalHeight, scrollTopFor } from "./scrollScaling";

export const ROW_HEIGHT = 32;

export interface ScaledRows {
  /** Rows to draw, with their distance from the top of the scrolled element. */
  rows: { index: number; top: number }[];
  /** Height of the scrolled element. */
  height: number;
  first: number;
  last: number;
  /** Rows that fit. */
  fit: number;
  reveal: (row: number) => void;
}

/** `kept` is drawn even out of sight, so that the focus on it is not lost. */
export function useScaledRows(scroller: RefObject<HTMLDivElement | null>, count: number, kept: number): ScaledRows {
  const position = useRef<Position>({ place: 0, scroll: 0 });
  const [shift, setShift] = useState(0);
  const whole = count * ROW_HEIGHT;

  const take = useCallback((next: Position) => {
    position.current = next;
    setShift(next.scroll - next.place);
  }, []);
  const virtualizer = useVirtualizer<HTMLDivElement, HTMLDivElement>({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 6,
    initialRect: { width: 800, height: 600 },
    rangeExtractor: (range) => {
      const rows = defaultRangeExtractor(range);
      return kept < count && !rows.includes(kept) ? [...rows, kept].toSorted((a, b) => a - b) : rows;
    },
    observeElementOffset: (instance, report) =>
      observeElementOffset(instance, (scroll, scrolling) => {
        const extent = { whole: instance.options.count * ROW_HEIGHT, viewport: instance.scrollElement?.clientHeight ?? 0 };
        const place = follow(position.current, scroll, extent);
        // At rest the scroll bar is put where the place belongs, so that wheel steps do not add up to a wrong thumb.
        const settled = scrolling ? scroll : scrollTopFor(place, extent);
        if (settled !== scroll) instance.scrollElement?.scrollTo({ top: settled });
        take({ place, scroll: settled });
        report(place, scrolling);
      }),
  });
  const reveal = useCallback(
    (row: number) => {
      const element = scroller.current;
      if (!element) return;
      const extent = { whole, viewport: element.clientHeight };
      const place = offsetToReveal(row, ROW_HEIGHT, position.current.place, extent.viewport);
      if (place === position.current.place) return;
      const scroll = scrollTopFor(place, extent);
      take({ place, scroll });
      virtualizer.scrollOffset = place;
      element.scrollTo({ top: scroll });
    },
    [scroller, whole, take, virtualizer],
  );
  const items = virtualizer.getVirtualItems();
  const range = virtualizer.range;
  return {
    rows: items.map(({ index, start }) => ({ index, top: start + shift })),
    height: physicalHeight({ whole, viewport: 0 }),
    first: range?.startIndex ?? 0,
    last: range?.endIndex ?? 0,
    fit: Math.max(1, Math.floor((scroller.current?.clientHeight ?? ROW_HEIGHT) / ROW_HEIGHT) - 1),
    reveal,
  };
}
