// Chromium with pages that record errors, CSP violations and keys that lose the focus, screenshots on request, and the accessibility checks of
// what is shown.

import assert from "node:assert/strict";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { chromium } from "playwright-core";
import { findViolations } from "./axe.mjs";
import { timed } from "./durations.mjs";
import { watchFocus } from "./focus.mjs";

const LAUNCH = {
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
  ],
};

export async function openBrowser() {
  const chrome = await timed("Chromium", () => chromium.launch(LAUNCH));
  return {
    /** The open pages, oldest first. */
    pages: () => chrome.contexts().flatMap((context) => context.pages()),
    closePages: () => Promise.all(chrome.contexts().map((context) => context.close())),
    /** Whether it has neither crashed nor been closed. */
    isConnected: () => chrome.isConnected(),
    close: () => chrome.close(),
    /** A page in a new context, and the errors recorded in it. */
    async page(options = {}) {
      const context = await chrome.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: "reduce", ...options });
      const page = await context.newPage();
      const reload = page.reload.bind(page);
      page.reload = (given) => timed("reloads", () => reload(given));
      const errors = [];
      page.on("pageerror", (error) => errors.push(`error: ${error.message}`));
      await page.exposeFunction("reportPolicyViolation", (what) => errors.push(`content security policy: ${what}`));
      await page.addInitScript(() => {
        // The application window freezes it too, so a library that writes to it must fail in this test.
        Object.freeze(Object.prototype);
        document.addEventListener("securitypolicyviolation", (event) => {
          window.reportPolicyViolation(`${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`);
        });
      });
      await watchFocus(page, errors);
      return { page, errors, close: () => context.close() };
    },
  };
}

/** The folder of what tests leave to be looked at. */
export const resultsFolder = join(import.meta.dirname, "../../target/ui-tests");

/**
 * Takes a screenshot to be looked at, if `UI_SCREENSHOTS` is set: nothing is compared with it, and all of them take long. A failed test
 * takes its own.
 */
export async function takeScreenshot(page, name, options = {}) {
  if (process.env.UI_SCREENSHOTS) await page.screenshot({ ...options, path: join(resultsFolder, `${name}.png`) });
}

/** How long the core may take for what a window has asked of it. */
const CONDITION_TIMEOUT_MS = 15_000;

/** Waits until an asynchronous condition holds. A page does not wait for the answer of one: it takes the promise for it. */
export async function until(condition) {
  const deadline = Date.now() + CONDITION_TIMEOUT_MS;
  while (!(await condition())) {
    assert.ok(Date.now() < deadline, `not within ${CONDITION_TIMEOUT_MS} ms: ${condition}`);
    await setTimeout(20);
  }
}

/** Waits until all animations have ended: axe must measure final colours. */
export async function animationsEnded(page) {
  await page.waitForFunction(() => document.getAnimations().length === 0);
}

/** Longer than the 300 ms after which React shows at the latest what was loaded for a part that is empty until then. */
const QUIET_FRAMES = 20;

/**
 * Waits until nothing is loaded any more and nothing has changed for some frames. Two are enough where all of what will be shown was loaded
 * before.
 */
export async function settled(page, frames = QUIET_FRAMES) {
  await page.waitForFunction(() => document.querySelector("[aria-busy=true]") === null);
  await page.evaluate(
    (needed) =>
      new Promise((resolve) => {
        let quiet = 0;
        const observer = new MutationObserver(() => {
          quiet = 0;
        });
        observer.observe(document.body, { childList: true, subtree: true, characterData: true, attributes: true });
        const next = () => {
          quiet += 1;
          if (quiet < needed) requestAnimationFrame(next);
          else {
            observer.disconnect();
            resolve();
          }
        };
        requestAnimationFrame(next);
      }),
    frames,
  );
}

export async function assertAccessible(page, where) {
  await animationsEnded(page);
  const { violations, isLaidOutAnew } = await findViolations(page);
  assert.deepEqual(violations, [], `${where}: ${violations.length} violations\n${violations.slice(0, 12).join("\n")}`);
  if (isLaidOutAnew) assert.deepEqual(await truncatedWords(page), [], `${where}: words that are cut off`);
}

/**
 * The words of the application that do not fit. Names, numbers and what was typed may be cut off: they are isolated as texts of a direction of
 * their own.
 */
function truncatedWords(page) {
  return page.evaluate(() => {
    const places = "button, label, legend, h1, h2, h3, th, dt, [role=menuitem], [role=option], [role=tab], [role=columnheader]";
    const found = new Set();
    for (const element of document.querySelectorAll(`:is(${places}), :is(${places}) *`)) {
      const { overflowX, textOverflow, clipPath } = getComputedStyle(element);
      const isCut =
        element.checkVisibility() &&
        (overflowX === "hidden" || textOverflow === "ellipsis") &&
        element.scrollWidth > element.clientWidth + 1 &&
        // What only screen readers have is clipped.
        clipPath === "none";
      const isWord = !element.matches("input, textarea, select") && !element.closest("bdi") && !element.querySelector("bdi");
      if (isCut && isWord) found.add(`${element.tagName}: ${element.textContent}`);
    }
    return [...found];
  });
}

/** A window of 1280 x 1024 px at 400 % (WCAG 2.2, 1.4.10). */
export const ZOOMED_SIZE = { width: 320, height: 256 };

/** The sizes of a window that are checked, and the themes that axe checks at each. Colours are the same at every size. */
const THEMES_OF_SIZES = [
  { size: ZOOMED_SIZE, themes: [] },
  { size: { width: 320, height: 800 }, themes: ["light"] },
  { size: { width: 480, height: 800 }, themes: ["dark"] },
  { size: { width: 1280, height: 800 }, themes: ["light", "dark", "highContrast"] },
];

/** The theme in which something was laid out at every size first, by page, place and language. */
const laidOut = new WeakMap();

/**
 * Checks what is shown for horizontal overflow in a window at 400 % and in the narrowest, a narrow and a wide one, and the last three with
 * axe. It ends with the wide one. A theme is colours alone: what was laid out in another one gets only the sizes at which axe checks this one.
 */
export async function assertAccessibleAtEveryWidth(page, where, { language, theme }) {
  const themeOf = laidOut.get(page) ?? new Map();
  laidOut.set(page, themeOf);
  const place = `${language} ${where}`;
  const isLaidOut = themeOf.has(place) && themeOf.get(place) !== theme;
  for (const { size, themes } of THEMES_OF_SIZES) {
    if (isLaidOut && !themes.includes(theme)) continue;
    const at = size === ZOOMED_SIZE ? "400 %" : `${size.width} px`;
    await setSize(page, size);
    if (themes.includes(theme)) await assertAccessible(page, `${where} at ${at}`);
    await assertFits(page, `${where} at ${at}`);
    if (size === ZOOMED_SIZE) {
      await assertFocusedFieldIsVisible(page, `${where} at ${at}`);
      await assertBarsAreLow(page, `${where} at ${at}`);
    }
  }
  if (!isLaidOut) themeOf.set(place, theme);
}

/** The share of the height of a window at 400 % that the bars around a screen may take: most of it is for what they stand around. */
const MOST_OF_BARS = 0.4;

/** Asserts that the title bar, the status bar and what else stays around `main` take the smaller part of a window at 400 %. */
export async function assertBarsAreLow(page, where) {
  const bars = await page.evaluate(() => window.innerHeight - document.querySelector("main").clientHeight);
  assert.ok(bars <= ZOOMED_SIZE.height * MOST_OF_BARS, `${where}: the bars take ${bars} of ${ZOOMED_SIZE.height} px`);
}

/** Sets the size of the window, and waits until the page has it. */
export async function setSize(page, size) {
  await page.setViewportSize(size);
  await page.waitForFunction(({ width, height }) => window.innerWidth === width && window.innerHeight === height, size);
}

/** Asserts that the text field with the focus, if there is one, is not under something else. One with an open list is left: scrolling closes it. */
export async function assertFocusedFieldIsVisible(page, where) {
  const covered = await page.evaluate(() => {
    const field = document.activeElement;
    if (!field?.matches(":is(input:not([type=checkbox], [type=radio]), textarea, [role=spinbutton]):not([aria-expanded=true])"))
      return null;
    field.scrollIntoView({ block: "nearest" });
    const { left, top, width, height } = field.getBoundingClientRect();
    const shown = document.elementFromPoint(left + width / 2, top + height / 2);
    return field.contains(shown) ? null : `${field.outerHTML} under ${shown?.outerHTML.slice(0, 200)}`;
  });
  assert.equal(covered, null, `${where}: the field with the focus is not visible`);
}

/** Asserts that nothing in `main` or in a dialog is wider than the room for it, in a part that scrolls down as well. */
export async function assertFits(page, where) {
  let found = [];
  // What is laid out by media queries and observers in scripts follows the width in one of the next frames.
  const fits = async () => {
    found = await page.evaluate(overflowing);
    return found.length === 0;
  };
  await until(fits).catch((error) => assert.fail(`${where} overflows: ${error.message}\n${found.join("\n")}`));
}

/** The boxes of `main` and of dialogs that hold what is wider than they are, and what leaves them. Runs in the page. */
function overflowing() {
  const surfaces = "main, [role=dialog], [role=alertdialog]";
  const found = [];
  for (const box of document.querySelectorAll(`:is(${surfaces}), :is(${surfaces}) *`)) {
    const isSurface = box.matches(surfaces);
    const { left, right, width } = box.getBoundingClientRect();
    const leavesWindow = isSurface && width > window.innerWidth;
    // What scrolls is laid out in parts of a pixel.
    if (!leavesWindow && box.scrollWidth <= box.clientWidth + (isSurface ? 0 : 1)) continue;
    const { overflowX } = getComputedStyle(box);
    if (!isSurface && overflowX !== "auto" && overflowX !== "scroll") continue;
    // A table, a row of buttons or a page may scroll sideways by itself, if the keyboard reaches it.
    const isMeantTo = !isSurface && box.matches(".overflow-x-auto, .overflow-auto");
    if (isMeantTo && (box.tabIndex >= 0 || box.querySelector("button, input, [tabindex='0']") !== null)) continue;
    found.push(`${box.tagName} ${box.className}: ${box.scrollWidth} in ${box.clientWidth} px`);
    for (const part of box.querySelectorAll("*")) {
      const inner = part.getBoundingClientRect();
      if (inner.width > 0 && (inner.left < left - 0.5 || inner.right > right + 0.5))
        found.push(`  ${part.tagName} ${part.className} ${inner.left} to ${inner.right}: ${part.textContent.slice(0, 40)}`);
    }
  }
  return found;
}

/** All combinations of language and theme. */
export const appearances = ["en", "ar"].flatMap((language) =>
  ["light", "dark", "highContrast"].map((theme) => ({ language, theme })),
);

/** For a state that looks as another one does: each language and each theme once. */
export const fewAppearances = appearances.filter(({ language, theme }) => (language === "ar") === (theme === "dark"));
