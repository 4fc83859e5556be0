/** The focus after a dialog has handed it back to an element that is gone. */

/** Frames in which a dialog ends and what it was about is read again: half a second. */
const FRAMES = 30;

/** Takes the focus in each of the next frames in which it has fallen to the body. */
export function keepFocus(find: () => HTMLElement | null, frames = FRAMES): void {
  requestAnimationFrame(() => {
    if (document.activeElement === document.body) find()?.focus();
    if (frames > 0) keepFocus(find, frames - 1);
  });
}
