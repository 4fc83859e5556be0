/** The focus after a dialog has handed it back to an element that is gone, or after a view has changed. */

/** Frames in which a dialog ends and what it was about is read again: half a second. */
const FRAMES = 30;

/** Who asks for the focus: what a person has just done, the view that is shown, or the window. */
type Asker = "action" | "view" | "window";

interface Claim {
  find: () => HTMLElement | null;
  asker: Asker;
  framesLeft: number;
}

/** The last one first. */
let claims: Claim[] = [];
let wasFocused = true;

/**
 * Takes the focus when no part of a view has it, in each of the next frames. A view waits for actions, which know better what comes next;
 * the window has the focus while nobody takes it. Returns a function that stops it.
 */
export function keepFocus(find: () => HTMLElement | null, asker: Asker = "action"): () => void {
  const claim = { find, asker, framesLeft: FRAMES };
  if (claims.length === 0) {
    wasFocused = true;
    requestAnimationFrame(grant);
  }
  claims = [claim, ...claims];
  return () => {
    claim.framesLeft = 0;
  };
}

/** Whether a part of a view has the focus. The body has it when that part is gone, and `main` in place of the body. */
export function isViewFocused(): boolean {
  const focused = document.activeElement;
  return focused !== null && focused !== document.body && focused.tagName !== "MAIN";
}

/** Gives the focus in one frame. A dialog that closes hands it back in the first frame without it, and nobody is to come before it. */
function grant(): void {
  claims = claims.filter(({ framesLeft }) => framesLeft > 0);
  const isFocused = isViewFocused();
  if (!isFocused && !wasFocused) {
    const hasAction = claims.some(({ asker }) => asker === "action");
    if (!focusFirst(hasAction ? "action" : "view")) focusFirst("window");
  }
  wasFocused = isFocused;
  for (const claim of claims) claim.framesLeft -= 1;
  if (claims.length > 0) requestAnimationFrame(grant);
}

function focusFirst(asker: Asker): boolean {
  for (const claim of claims) {
    const found = claim.asker === asker ? claim.find() : null;
    found?.focus();
    if (found) return true;
  }
  return false;
}
