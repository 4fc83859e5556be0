// What Tab has to reach in a page, and what is wrong with where the focus goes. `tab-walk.mjs` runs it in the page.

const NATIVE = "a[href], button, input, select, textarea";
const CONTROLS = `${NATIVE}, [tabindex]`;

const describe = (element) => `${element.tagName} ${element.textContent.trim().slice(0, 40)} ${element.outerHTML.slice(0, 160)}`;

const focusedElement = () => document.activeElement ?? document.body;

const isUsable = (element) =>
  !element.matches(":disabled, [type=hidden]") &&
  element.checkVisibility({ visibilityProperty: true }) &&
  element.closest("[inert], [aria-hidden=true]") === null;

const controlsIn = (within) => [...document.querySelector(within).querySelectorAll(CONTROLS)].filter(isUsable);

/** Choices that the arrow keys move between are one stop. */
const stopOf = (element) => (element.matches("[role=radio], [type=radio]") && element.closest("[role=radiogroup]")) || element;

/** Whether only screen readers have it. */
const isClipped = (element) => getComputedStyle(element.parentElement).clipPath !== "none";

/** What is seen of a control: an input that is hidden is in its label. */
const seenOf = (element) => (isClipped(element) && element.closest("label")) || element;

/** Whether it is seen, and no key leads to it. A button with which a screen reader closes a dialog stands beside that which is seen. */
const isLeftOut = (control) =>
  control.matches(NATIVE) &&
  control.tabIndex < 0 &&
  stopOf(control) === control &&
  (seenOf(control) !== control || !isClipped(control));

const isPainted = (colour) => colour !== "none" && !/[,/] 0\)$/.test(colour);

/** A field has its ring around its frame, a column of a chart around its shape. */
function hasRing(element) {
  for (let part = element, level = 0; part && level < 4; part = part.parentElement, level += 1) {
    const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(part);
    if (outlineStyle !== "none" && Number.parseInt(outlineWidth, 10) >= 2 && isPainted(outlineColor)) return true;
  }
  return element instanceof SVGElement && [...element.children].some((shape) => isPainted(getComputedStyle(shape).stroke));
}

/** Whether a part of it is in the window, with nothing over it. */
function isInSight(element) {
  const box = element.getBoundingClientRect();
  const [left, right] = [Math.max(box.left, 0), Math.min(box.right, window.innerWidth)];
  const [top, bottom] = [Math.max(box.top, 0), Math.min(box.bottom, window.innerHeight)];
  if (left >= right || top >= bottom) return false;
  const shares = [0.1, 0.5, 0.9];
  const points = shares.flatMap((x) => shares.map((y) => [left + (right - left) * x, top + (bottom - top) * y]));
  return points.some(([x, y]) => element.contains(document.elementFromPoint(x, y)));
}

const isNamed = (element) => window.axe.commons.text.accessibleText(element).trim() !== "";

const dateOf = (element) => element.closest("[role=group]:has([role=spinbutton])");

/** Whether `to` stands before `from`: above it, or before it in its line. A column beside it begins at the top again. */
function isBack(from, to) {
  // The parts of a date stand as its language writes them.
  if (dateOf(from) !== null && dateOf(from) === dateOf(to)) return false;
  const [one, next] = [from.getBoundingClientRect(), to.getBoundingClientRect()];
  const isRightToLeft = document.documentElement.dir === "rtl";
  const isBefore = isRightToLeft ? next.left >= one.right - 1 : next.right <= one.left + 1;
  const isBehind = isRightToLeft ? next.right <= one.left + 1 : next.left >= one.right - 1;
  const shared = Math.min(one.bottom, next.bottom) - Math.max(one.top, next.top);
  if (shared > Math.min(one.height, next.height) / 2) return isBefore;
  return next.bottom <= one.top + 1 && !isBehind;
}

function observe(within, isOrdered) {
  const stops = () => [...new Set(controlsIn(within).flatMap((each) => (each.tabIndex >= 0 ? [stopOf(each)] : [])))];
  const focused = new Set();
  const reached = new Set();
  let before = null;
  const stateWith = (problems) => {
    const all = stops();
    const at = stopOf(focusedElement());
    return { first: at === all[0], last: at === all.at(-1), name: describe(focusedElement()), problems };
  };
  return {
    count: stops().length,
    /** The key that leads to the first one. */
    keyToFirst() {
      const isAhead = focusedElement().compareDocumentPosition(stops()[0]) & Node.DOCUMENT_POSITION_FOLLOWING;
      return isAhead ? "Tab" : "Shift+Tab";
    },
    /** Begins a way at what has the focus. */
    begin() {
      reached.clear();
      reached.add(stopOf(focusedElement()));
      before = null;
      return stateWith([]);
    },
    /** Notes what has the focus after a key. */
    async note(isForwards) {
      // What goes with the focus hands it on in the next frames.
      await window.focusAfterKeys.settled();
      const element = focusedElement();
      if (element === document.body) return stateWith(["the focus is on the body"]);
      const seen = seenOf(element);
      const problems = [];
      if (!hasRing(seen)) problems.push("no ring");
      if (!isInSight(seen)) problems.push("not in sight");
      if (isOrdered && before && (isForwards ? isBack(before, seen) : isBack(seen, before)))
        problems.push(`against the order of reading beside ${describe(before)}`);
      focused.add(element);
      reached.add(stopOf(element));
      before = seen;
      return stateWith(problems.map((problem) => `${problem}: ${describe(element)}`));
    },
    /** What this way has not reached, and what no way reaches. */
    left() {
      const missed = stops().filter((stop) => !reached.has(stop));
      return [...missed, ...controlsIn(within).filter(isLeftOut)].map((each) => `not reached: ${describe(each)}`);
    },
    /** What had the focus and has no accessible name. */
    unnamed() {
      window.axe.setup(document);
      try {
        // What only scrolls needs no name, and what is gone has none to read.
        const unnamed = [...focused].filter((each) => each.isConnected && each.matches(CONTROLS) && !isNamed(each));
        return unnamed.map((each) => `no name: ${describe(each)}`);
      } finally {
        window.axe.teardown();
      }
    },
  };
}

// An object: a function as the last value would be called by Playwright.
window.tabStops = { observe };
