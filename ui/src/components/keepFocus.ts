/** The focus after a dialog has handed it back to an element that is gone. */

/** Takes the focus in one of the next frames, if it falls to the body. */
export function keepFocus(find: () => HTMLElement | null, frames = 3): void {
  requestAnimationFrame(() => {
    if (document.activeElement === document.body) find()?.focus();
    else if (frames > 0) keepFocus(find, frames - 1);
  });
}
