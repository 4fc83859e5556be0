// Watches in a page of the tests where the focus is after each key. `focus.mjs` adds it to every page, and says what counts.

/** What a key has done is drawn in them: a button that is disabled loses the focus in the first one. */
const DRAWN_FRAMES = 2;

const MODIFIERS = new Set(["Control", "Shift", "Alt", "AltGraph", "Meta"]);

/** The last key, and what had the focus before it. */
let pressed = null;
let framesSinceKey = 0;
let framesAtRest = 0;
/** How many commands of the core are under way. */
let commands = 0;
/** Ends when the focus is settled. */
let watching = null;

const isNowhere = () => document.activeElement === null || document.activeElement === document.body;

const isDialogShown = () => document.querySelector("[role=dialog], [role=alertdialog]") !== null;

const isLost = () => isNowhere() && (pressed.before !== null || isDialogShown());

/** Without what it holds, which can be a whole screen. */
const describe = (element) => `${element.textContent.trim().slice(0, 40)} ${element.cloneNode(false).outerHTML.slice(0, 200)}`;

function keysOf({ ctrlKey, altKey, shiftKey, key }) {
  return [ctrlKey && "Control", altKey && "Alt", shiftKey && "Shift", key].filter(Boolean).join("+");
}

/** Whether the focus may still come, or go. */
const isUnsettled = () =>
  pressed !== null &&
  framesSinceKey < window.focusAfterKeys.mostFrames &&
  (framesAtRest < DRAWN_FRAMES || commands > 0 || isLost());

async function watch() {
  while (isUnsettled()) {
    await new Promise((resolve) => requestAnimationFrame(resolve));
    framesSinceKey += 1;
    framesAtRest += 1;
  }
  watching = null;
  if (pressed === null || !isLost()) return;
  const { keys, before } = pressed;
  pressed = null;
  const screen = document.querySelector("h1")?.textContent;
  window.reportLostFocus(`${keys}, in ${screen}, after ${before === null ? "nothing" : describe(before)}`);
}

function watchAfterKey() {
  if (pressed === null) return;
  framesSinceKey = 0;
  framesAtRest = 0;
  watching ??= watch();
}

window.addEventListener(
  "keydown",
  (event) => {
    if (!event.isTrusted || MODIFIERS.has(event.key)) return;
    // A key that comes while the focus is lost has not lost it: that was the key before.
    if (watching === null || !isNowhere()) pressed = { keys: keysOf(event), before: isNowhere() ? null : document.activeElement };
    watchAfterKey();
  },
  { capture: true },
);
// A button does its work when its key comes up.
window.addEventListener("keyup", watchAfterKey, { capture: true });
// Who goes on with the pointer puts the focus where it points.
window.addEventListener(
  "pointerdown",
  () => {
    pressed = null;
  },
  { capture: true },
);

const send = window.fetch;
window.fetch = async (...request) => {
  const [address] = request;
  // A page always waits for the next snapshot.
  if (typeof address !== "string" || !/\/commands\/(?!watch$)/.test(address)) return send(...request);
  commands += 1;
  try {
    return await send(...request);
  } finally {
    commands -= 1;
    framesAtRest = 0;
  }
};

window.focusAfterKeys = {
  /** Within which a lost focus comes back: as many as a screen may need that is loaded and asks the service, five seconds. */
  mostFrames: 300,
  /** Waits while the focus is lost. */
  settled: () => (pressed !== null && isLost() ? watching : null),
};
