/** The sizes that the zoom steps through, in percent. */

export const MIN_ZOOM = 80;
export const MAX_ZOOM = 200;

const STEPS = [80, 90, 100, 110, 125, 150, 175, 200] as const;

/** The next size above (1) or below (-1). */
export function zoomAfter(zoom: number, direction: 1 | -1): number {
  const next = direction === 1 ? STEPS.find((step) => step > zoom) : STEPS.findLast((step) => step < zoom);
  return next ?? (direction === 1 ? MAX_ZOOM : MIN_ZOOM);
}
