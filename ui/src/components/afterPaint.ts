/** Work that waits until the browser has painted what changed. */

/** A hidden window paints no frames. */
const LATEST_MS = 100;

/** Calls `work` after the next paint. Returns a function that calls it off. */
export function afterPaint(work: () => void): () => void {
  let timer = setTimeout(work, LATEST_MS);
  const frame = requestAnimationFrame(() => {
    // Before the paint of this frame: what is queued now comes after it.
    clearTimeout(timer);
    timer = setTimeout(work);
  });
  return () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
}
