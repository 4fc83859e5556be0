/**
 * Scrolling through more rows than an element can be high. Engines cap an element at 33,554,428 px, in device pixels; the list
 * is never higher than `CAP_PX`, and a scroll position stands for a place in the whole list.
 */

/** Safe up to four device pixels for one of CSS. */
export const CAP_PX = 8_000_000;

export interface Extent {
  /** Height of all rows. */
  contentHeight: number;
  viewport: number;
}

/** Both positions: in the whole list, and of the scroll bar. */
export interface Position {
  offset: number;
  scrollTop: number;
}

/** Height that the scrolled element really has. */
export function physicalHeight(extent: Extent): number {
  return Math.min(extent.contentHeight, CAP_PX);
}

/** The scroll position for a place in the list. */
export function scrollTopFor(offset: number, extent: Extent): number {
  const { maxOffset, maxScrollTop } = ranges(extent);
  return maxOffset === maxScrollTop
    ? clamp(offset, maxOffset)
    : Math.round((clamp(offset, maxOffset) / maxOffset) * maxScrollTop);
}

/**
 * The place after the scroll bar has moved. A small movement is a wheel or a key and moves by just that many pixels; a large one
 * is the thumb being dragged and is in proportion. The ends are always the ends.
 */
export function offsetAfterScroll(before: Position, scrollTop: number, extent: Extent): number {
  const { maxOffset, maxScrollTop } = ranges(extent);
  if (maxOffset === maxScrollTop) return scrollTop;
  if (scrollTop <= 0) return 0;
  if (scrollTop >= maxScrollTop) return maxOffset;
  const moved = scrollTop - before.scrollTop;
  if (Math.abs(moved) <= extent.viewport) return clamp(before.offset + moved, maxOffset);
  return Math.round((scrollTop / maxScrollTop) * maxOffset);
}

/** The place that shows a row contentHeight, nearest to the current one. */
export function offsetToReveal(row: number, rowHeight: number, offset: number, viewport: number): number {
  const top = row * rowHeight;
  if (top < offset) return top;
  if (top + rowHeight > offset + viewport) return top + rowHeight - viewport;
  return offset;
}

function ranges(extent: Extent): { maxOffset: number; maxScrollTop: number } {
  return {
    maxOffset: Math.max(0, extent.contentHeight - extent.viewport),
    maxScrollTop: Math.max(0, physicalHeight(extent) - extent.viewport),
  };
}

function clamp(value: number, max: number): number {
  return Math.min(Math.max(value, 0), max);
}
