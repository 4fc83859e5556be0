/**
 * The rows of a list of any length that are rendered: those in view, and some around them. All rows have one height, so that their places are
 * computed (decision 0055).
 */

import { type RefObject, useLayoutEffect, useReducer, useRef } from "react";
import { flushSync } from "react-dom";
import { useLatest } from "../components/useLatest";
import { usePreferences } from "../state/usePreferences";
import {
  offsetAfterScroll,
  offsetToReveal,
  type Position,
  physicalHeight,
  type RowRange,
  rowsInView,
  scrollTopFor,
  shiftOf,
} from "./scrollScaling";

/** The height of rows, `h-8`, by density. */
const ROW_HEIGHT = { comfortable: 32, compact: 28 } as const;
/** How many rows before and after those in view are rendered too. */
const ROWS_AROUND = 6;
/** The height of the view until it is laid out. */
const FIRST_VIEWPORT_PX = 600;
/** After which time without a scroll event the list is at rest. Not each web view that is supported has `scrollend`. */
const REST_MS = 150;

const increment = (renders: number) => renders + 1;

export interface ScaledRows extends RowRange {
  /** Rows to render, with their distance from the top of the scrolled element. */
  rows: { index: number; top: number }[];
  /** Height of the scrolled element. */
  height: number;
  /** By how many rows a key moves that moves by a page: one less than fit in the viewport. */
  pageSize: () => number;
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
  const viewport = useRef(FIRST_VIEWPORT_PX);
  const [, renderAgain] = useReducer(increment, 0);
  const contentHeight = count * rowHeight;

  /** The rows in view now, and how far the places of rows are shifted by the scale. */
  const readView = () => {
    const extent = { contentHeight, viewport: viewport.current };
    return { ...rowsInView(position.current.offset, extent, rowHeight), shift: shiftOf(position.current, extent) };
  };
  const view = readView();
  /** Renders again if that shows other rows, or in other places: most scroll events move by less than a row. */
  const update = () => {
    const now = readView();
    if (now.first !== view.first || now.last !== view.last || now.shift !== view.shift) renderAgain();
  };
  /** Follows the scroll bar of the element. */
  const follow = (element: HTMLElement, isScrolling: boolean) => {
    const { scrollTop } = element;
    const extent = { contentHeight, viewport: element.clientHeight };
    const offset = offsetAfterScroll(position.current, scrollTop, extent);
    // At rest, set the scroll bar to the position of the offset: wheel steps must not accumulate an error.
    const settled = isScrolling ? scrollTop : scrollTopFor(offset, extent);
    if (settled !== scrollTop) element.scrollTo({ top: settled });
    position.current = { offset, scrollTop: settled };
    // At rest the place within a row counts too: the list is shown there again.
    if (isScrolling) update();
    else renderAgain();
  };
  const scrollToOffset = (wanted: number) => {
    const element = scroller.current;
    if (!element) return;
    const extent = { contentHeight, viewport: element.clientHeight };
    const offset = Math.min(wanted, Math.max(0, contentHeight - extent.viewport));
    const scrollTop = scrollTopFor(offset, extent);
    position.current = { offset, scrollTop };
    element.scrollTo({ top: scrollTop });
    update();
  };

  const latest = useLatest({ follow, update, scrollToOffset });
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const onResize = () => {
      viewport.current = element.clientHeight;
      latest.current.update();
    };
    onResize();
    const observer = new ResizeObserver(onResize);
    observer.observe(element);
    let rest: ReturnType<typeof setTimeout> | undefined;
    const onScroll = () => {
      clearTimeout(rest);
      rest = setTimeout(() => latest.current.follow(element, false), REST_MS);
      // The frame that shows the new place shows its rows: rendered later, they would follow an empty one.
      flushSync(() => latest.current.follow(element, true));
    };
    element.addEventListener("scroll", onScroll, { passive: true });
    return () => {
      observer.disconnect();
      clearTimeout(rest);
      element.removeEventListener("scroll", onScroll);
    };
  }, [scroller, latest]);
  const heightBefore = useRef(rowHeight);
  useLayoutEffect(() => {
    if (heightBefore.current === rowHeight) return;
    // The same row stays at the top.
    const offset = Math.round((position.current.offset / heightBefore.current) * rowHeight);
    heightBefore.current = rowHeight;
    scrollToOffset(offset);
  });
  useLayoutEffect(() => {
    // A list begins, or is shown again, where it was left, and may be shorter by now.
    if (position.current.offset !== 0) latest.current.scrollToOffset(position.current.offset);
  }, [latest]);
  return {
    rows: rowsAround(view, count, pinnedRow).map((index) => ({ index, top: index * rowHeight + view.shift })),
    height: physicalHeight({ contentHeight, viewport: 0 }),
    first: view.first,
    last: view.last,
    pageSize: () => Math.max(1, Math.floor(viewport.current / rowHeight) - 1),
    reveal: (row) => {
      const { offset: before } = position.current;
      const offset = offsetToReveal(row, rowHeight, before, scroller.current?.clientHeight ?? 0);
      if (offset !== before) scrollToOffset(offset);
    },
    rowsAbove: () => position.current.offset / rowHeight,
  };
}

/** The rows to render in their order: those in view, some around them, and a pinned one. */
function rowsAround({ first, last }: RowRange, count: number, pinned: number): number[] {
  const from = Math.max(0, first - ROWS_AROUND);
  const to = Math.min(count - 1, last + ROWS_AROUND);
  const rows = Array.from({ length: Math.max(0, to - from + 1) }, (_, at) => from + at);
  if (pinned >= count || (pinned >= from && pinned <= to)) return rows;
  return pinned < from ? [pinned, ...rows] : [...rows, pinned];
}
