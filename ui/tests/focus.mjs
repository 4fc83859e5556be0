// The focus after each key, in every page of the tests. A key has lost it if
// - an element had the focus before the key, or a dialog is open after it,
// - the body has the focus when what the key has done is drawn, which takes two frames, and the core has answered what it was asked,
// - and it does not come back: 300 frames after the key the body still has it.
// So a dialog may hand it back in a later frame, and a screen may be loaded first. It does not count where the focus is in a page that was just
// opened, after the pointer, or when something else than a key changes the window.

import { join } from "node:path";

const script = join(import.meta.dirname, "focus-after-keys.js");

/** The keys of each page without the wait. */
const alone = new WeakMap();

/** Presses a key for somebody who waits for the focus in the page. */
export function pressAlone(page, key) {
  return alone.get(page)(key);
}

/** Adds every key that loses the focus to `errors`. After a key the page waits until the focus is back: what comes next would hide the loss. */
export async function watchFocus(page, errors) {
  await page.exposeFunction("reportLostFocus", (what) => errors.push(`a key left the focus on the body: ${what}`));
  await page.addInitScript({ path: script });
  const press = page.keyboard.press.bind(page.keyboard);
  alone.set(page, press);
  page.keyboard.press = async (key, options) => {
    await press(key, options);
    await focusIsSettled(page);
  };
  watchLocators(page.locator("html"));
}

/** The classes of locators that wait. */
const watched = new WeakSet();

/** Has every locator wait after its key: all are of one class. */
function watchLocators(locator) {
  const prototype = Object.getPrototypeOf(locator);
  if (watched.has(prototype)) return;
  watched.add(prototype);
  const { press } = prototype;
  prototype.press = async function pressAndWait(key, options) {
    await press.call(this, key, options);
    await focusIsSettled(this.page());
  };
}

/** A page that is left at that moment has no answer. */
function focusIsSettled(page) {
  return page.evaluate(() => window.focusAfterKeys?.settled()).catch(() => undefined);
}
