/**
 * Scrolling through more rows than an element can be high. Engines cap an element at 33,554,428 px, in device pixels; the list
 * is never higher than `CAP_PX`, and a scroll position stands for a place in the whole list.
 */

/** Safe up to four device pixels for one of CSS. */
export const CAP_PX = 8_000_000;

export interface Extent {
  /** Height of all rows. */
  whole: number;
  viewport: number;
}

/** Both positions: in the whole list, and of the scroll bar. */
export interface Position {
  place: number;
  scroll: number;
}

/** Height that the scrolled element really has. */
export function physicalHeight(extent: Extent): number {
  return Math.min(extent.whole, CAP_PX);
}

/** The scroll position for a place in the list. */
export function scrollTopFor(place: number, extent: Extent): number {
  const { places, scrolls } = ranges(extent);
  return places === scrolls ? clamp(place, places) : Math.round((clamp(place, places) / places) * scrolls);
}

/**
 * The place after the scroll bar has moved. A small movement is a wheel or a key and moves by just that many pixels; a large one
 * is the thumb being dragged and is in proportion. The ends are always the ends.
 */
export function follow(before: Position, scroll: number, extent: Extent): number {
  const { places, scrolls } = ranges(extent);
  if (places === scrolls) return scroll;
  if (scroll <= 0) return 0;
  if (scroll >= scrolls) return places;
  const moved = scroll - before.scroll;
  if (Math.abs(moved) <= extent.viewport) return clamp(before.place + moved, places);
  return Math.round((scroll / scrolls) * places);
}

/** The place that shows a row whole, nearest to the current one. */
export function offsetToReveal(row: number, rowHeight: number, place: number, viewport: number): number {
  const top = row * rowHeight;
  if (top < place) return top;
  if (top + rowHeight > place + viewport) return top + rowHeight - viewport;
  return place;
}

function ranges(extent: Extent): { places: number; scrolls: number } {
  return {
    places: Math.max(0, extent.whole - extent.viewport),
    scrolls: Math.max(0, physicalHeight(extent) - extent.viewport),
  };
}

function clamp(value: number, most: number): number {
  return Math.min(Math.max(value, 0), most);
}
