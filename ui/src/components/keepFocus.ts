/** The focus after a dialog has handed it back to an element that is gone, or after a view has changed. */

/** Frames in which a dialog ends and what it was about is read again: half a second. */
const FRAMES = 30;

/** Takes the focus in each of the next frames in which no part of a view has it. Returns a function that stops it. */
export function keepFocus(find: () => HTMLElement | null): () => void {
  let left = FRAMES;
  const take = () => {
    if (!isViewFocused()) find()?.focus();
    left -= 1;
    if (left > 0) frame = requestAnimationFrame(take);
  };
  let frame = requestAnimationFrame(take);
  return () => cancelAnimationFrame(frame);
}

/** Whether a part of a view has the focus. The body has it when that part is gone, and `main` in place of the body. */
export function isViewFocused(): boolean {
  const focused = document.activeElement;
  return focused !== null && focused !== document.body && focused.tagName !== "MAIN";
}
