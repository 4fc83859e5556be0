// A flow in a window of its own: it starts in the home organization, with which a new core begins, in English and light, and waits for its first
// screen itself. Its tests continue from the state of the one before, so that after a failure the rest of this flow is skipped, and no other.

import assert from "node:assert/strict";
import { assertAccessible, takeScreenshot } from "./browser.mjs";
import { assertAccessibleIn, inEachAppearance } from "./each-appearance.mjs";
import { signedInPage } from "./signed-in.mjs";

export const HOME = "Al-Khair Trading";

/** Runs `flow` with its window. `run` is the test function of the whole run. */
export async function windowFlow(run, browser, { host }, flow) {
  const { page, errors, close, invoke } = await signedInPage(browser, host, "noura@alkhair.example");
  page.setDefaultTimeout(10_000);
  const window = windowOf(run, page, invoke);
  await window.switcherOf(HOME).waitFor();
  await flow(window);
  await window.test("no test caused a script error or a violation of the content security policy", async () => {
    assert.deepEqual(errors, []);
  });
  // Otherwise it would go on as the main window beside those of the other flows, and take their links.
  await close();
}

/** What the tests of a window share. */
export function windowOf(run, page, invoke) {
  let failed = false;
  /** Whether the window is as the last appearance of a screen has left it. The next test opens it anew: another screen would do it twice. */
  let isLeft = false;
  const sequence = inSequence(run);
  const test = async (name, body) => {
    const bodyInWindow = async () => {
      if (isLeft) await setPreferences({});
      await body();
    };
    failed ||= !(await sequence(name, bodyInWindow));
  };
  const button = (name, options = {}) => page.getByRole("button", { name, ...options });
  const setPreferences = async (preferences) => {
    isLeft = false;
    await invoke("save_preferences", { preferences: { language: "en", theme: "light", digits: "latin", ...preferences } });
    await page.reload();
    await page
      .locator(`html[lang=${preferences.language ?? "en"}] main`)
      .first()
      .waitFor();
  };
  /** Waits for the list of a window that was just opened. */
  const homeIsShown = () => page.getByRole("grid").or(page.getByText("has no invoices yet")).first().waitFor();
  const openHome = async () => {
    await page.reload();
    await homeIsShown();
  };
  /**
   * Opens a screen in every appearance, checks it with axe and takes a screenshot on request. A failure of one skips no other. What another
   * width of the window can close is checked `atOneWidth`.
   */
  const inEveryAppearance = async (name, show, { atOneWidth = false } = {}) => {
    if (failed) return;
    const assertAccessibleHere = atOneWidth ? assertAccessible : assertAccessibleIn;
    const check = async ({ language, theme }) => {
      assert.equal(await page.evaluate(() => document.documentElement.dir), language === "ar" ? "rtl" : "ltr");
      await assertAccessibleHere(page, name, { language, theme });
      await takeScreenshot(page, `${name}-${language}-${theme}`);
      await assertNoHorizontalScroll(page);
    };
    const window = { page, invoke, setPreferences };
    await inEachAppearance(run, window, { name, claim: "is accessible" }, show, check);
    isLeft = true;
  };
  const switcherOf = (name) => button(new RegExp(`${name}.*switch organization`));
  return { page, invoke, test, button, switcherOf, setPreferences, homeIsShown, openHome, inEveryAppearance };
}

/** The test function for tests of which each continues from the state of the one before: after a failure the rest is skipped. */
export function inSequence(run) {
  let passed = true;
  return async (name, body) => {
    passed &&= await run(name, body);
    return passed;
  };
}

/** Opens the menu of the rarer actions on the document that is shown, and presses the one with a name. */
export async function pressMoreAction(page, name) {
  await page.locator("[data-detail]").getByRole("button", { name: "More", exact: true }).press("Enter");
  await page.getByRole("menuitem", { name }).press("Enter");
}

/** Asserts that the window does not scroll horizontally. */
export async function assertNoHorizontalScroll(page) {
  const wide = await page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);
  assert.equal(wide, false, "the window does not scroll horizontally");
}
