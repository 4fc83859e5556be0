/** The regions of the window that F6 moves between: bars, notices, navigation, the screen, and the parts of a form. */

import { activeRow } from "../state/navigation";

/** A region within another one is a stop of its own. */
const REGIONS = "[data-region], nav, aside, footer, main > *";

const FOCUSABLE = ["a[href]", "button:enabled", "input:enabled", "textarea:enabled", '[tabindex="0"]']
  .map((element) => `${element}:not([tabindex="-1"], [type="hidden"])`)
  .join(", ");

/** Where a region begins, if not with its first element: the row that Tab reaches, and the page that is shown. */
const START = `${activeRow}, nav [aria-current]`;

/** Moves the focus to the next or the previous region, in the order of the document, and around its ends. */
export function focusRegion(by: 1 | -1): void {
  const focused = document.activeElement ?? document.body;
  const current = focused.closest(REGIONS);
  const others = [...document.querySelectorAll(REGIONS)].filter((region) => region !== current);
  const inOrder = others.map((region) => startsOf(region)).filter(([first]) => first !== undefined);
  const starts = by === 1 ? inOrder : inOrder.toReversed();
  const side = by === 1 ? Node.DOCUMENT_POSITION_FOLLOWING : Node.DOCUMENT_POSITION_PRECEDING;
  const isAhead = ([first]: HTMLElement[]) => first !== undefined && (focused.compareDocumentPosition(first) & side) !== 0;
  for (const elements of [...starts.filter(isAhead), ...starts.filter((start) => !isAhead(start))]) {
    if (elements.some(takesFocus)) return;
  }
}

/** What can take the focus in a region: where it begins, and its other elements, of which the first may not be shown. */
function startsOf(region: Element): HTMLElement[] {
  const elements = [...region.querySelectorAll<HTMLElement>(FOCUSABLE)].filter((element) => element.closest(REGIONS) === region);
  const start = elements.find((element) => element.matches(START));
  return start ? [start, ...elements] : elements;
}

/** Gives an element the focus. One that is not shown does not take it, and a bar of buttons gives it to that which had it last. */
function takesFocus(element: HTMLElement): boolean {
  element.focus();
  return document.activeElement?.closest(REGIONS) === element.closest(REGIONS);
}
