/**
 * Maps scroll positions for a list that is higher than an element can be. Engines limit the height to 33,554,428 device
 * pixels. The scrolled element is at most `CAP_PX` high, and its scroll position maps to an offset in the content.
 */

/** Below the limit up to a device pixel ratio of four. */
export const CAP_PX = 8_000_000;

export interface Extent {
  /** Height of all rows. */
  contentHeight: number;
  viewport: number;
}

/** Offset in the content, and scroll position of the element. */
export interface Position {
  offset: number;
  scrollTop: number;
}

/** Rows from the first to the last, by their indices. */
export interface RowRange {
  first: number;
  last: number;
}

/** Height of the scrolled element. */
export function physicalHeight(extent: Extent): number {
  return Math.min(extent.contentHeight, CAP_PX);
}

/** The scroll position for an offset. */
export function scrollTopFor(offset: number, extent: Extent): number {
  const { maxOffset, maxScrollTop } = ranges(extent);
  return maxOffset === maxScrollTop
    ? clamp(offset, maxOffset)
    : Math.round((clamp(offset, maxOffset) / maxOffset) * maxScrollTop);
}

/**
 * The offset after a scroll event. A small movement comes from the wheel or a key and moves by the same number of pixels; a large
 * one comes from dragging the thumb and maps proportionally. The ends always map to the ends.
 */
export function offsetAfterScroll(before: Position, scrollTop: number, extent: Extent): number {
  const { maxOffset, maxScrollTop } = ranges(extent);
  if (maxOffset === maxScrollTop) return scrollTop;
  if (scrollTop <= 0) return 0;
  if (scrollTop >= maxScrollTop) return maxOffset;
  const moved = scrollTop - before.scrollTop;
  if (Math.abs(moved) <= extent.viewport) return clamp(clamp(before.offset, maxOffset) + moved, maxOffset);
  return Math.round((scrollTop / maxScrollTop) * maxOffset);
}

/** How far rows stand from their places in the content. In a list that became shorter the position can be beyond the end. */
export function shiftOf({ offset, scrollTop }: Position, extent: Extent): number {
  const { maxOffset, maxScrollTop } = ranges(extent);
  return clamp(scrollTop, maxScrollTop) - clamp(offset, maxOffset);
}

/** The first and the last row that an offset shows a part of. A list that became shorter, or bounces at an end, shows what is at that end. */
export function rowsInView(offset: number, { contentHeight, viewport }: Extent, rowHeight: number): RowRange {
  const top = clamp(offset, Math.max(0, contentHeight - viewport));
  const first = Math.floor(top / rowHeight);
  const last = Math.ceil(Math.min(contentHeight, top + viewport) / rowHeight) - 1;
  return { first, last: Math.max(first, last) };
}

/** The offset nearest to the current one that shows a row completely. */
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
