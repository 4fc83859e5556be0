// A page of `ui-host` with a signed-in account of the embedded environment, in English and light, whatever was before it.

import assert from "node:assert/strict";
import { timed } from "./durations.mjs";

/** How long the focus may be nowhere after a key: a screen may have to be loaded. */
const FOCUS_TIMEOUT_MS = 5_000;

/** Whether an element of the page has the focus. Runs in the page. */
function hasFocus() {
  return document.activeElement !== null && document.activeElement !== document.body;
}

/** Waits until an element of the page has the focus. */
export async function waitForFocus(page) {
  await page.waitForFunction(hasFocus);
}

/** Calls the commands of the core, as the window of a page does. */
export function invokeOf(page) {
  return (command, args = {}) =>
    page.evaluate(([name, parameters]) => window.__TAURI_INTERNALS__.invoke(name, parameters), [command, args]);
}

/** Signs in on the page of the service that the core has opened, and waits until the window of `page` has the account. */
export async function signInAtService(browser, host, page, { username, password }) {
  const address = await (await fetch(`${host}/opened`)).json();
  const { page: signInPage, close } = await browser.page();
  await signInPage.goto(address);
  await signInPage.fill("#username", username);
  await signInPage.fill("#password", password);
  await signInPage.locator("button[name=action][value=sign-in].primary").click();
  // The service leads its page to an address of the core: closed before, it would bring no answer.
  await page.locator("header button").first().waitFor();
  await close();
}

/** Has every key that is pressed keep the focus somewhere in the page, if it was somewhere before. */
function keepFocusAfterKeys(page) {
  const press = page.keyboard.press.bind(page.keyboard);
  page.keyboard.press = async (key, options) => {
    const had = await page.evaluate(hasFocus);
    await press(key, options);
    if (!had) return;
    const kept = await page.waitForFunction(hasFocus, null, { timeout: FOCUS_TIMEOUT_MS }).then(
      () => true,
      () => false,
    );
    assert.ok(kept, `${key} left the focus on the body`);
  };
}

/** Has the window of `page` have the account of a user, whoever is signed in there. */
async function signIn(browser, host, page, username) {
  await page.goto(host);
  await page.locator("main").first().waitFor();
  const invoke = invokeOf(page);
  const { session } = await invoke("watch", { after: 0 });
  if (session.state === "signedIn" && session.account.username !== username) await invoke("sign_out");
  if (session.state !== "signedIn" || session.account.username !== username) {
    await page.locator("[role=radiogroup]").waitFor();
    await invoke("start_sign_in", { environment: "local" });
    const account = (await invoke("environments"))[0].demoAccounts.find((each) => each.username === username);
    await signInAtService(browser, host, page, account);
  }
  await page.locator("header button").first().waitFor();
}

/** `prepare` is called with the page before it is opened. */
export async function signedInPage(browser, host, username, options = {}, prepare = () => undefined) {
  const { page, errors, close } = await browser.page(options);
  page.setDefaultTimeout(15_000);
  keepFocusAfterKeys(page);
  await prepare(page);
  const invoke = invokeOf(page);
  await timed("sign-in", () => signIn(browser, host, page, username));
  /** Saves preferences, those that are not named being the defaults, and opens the window again. */
  const setPreferences = async (preferences) => {
    await invoke("save_preferences", { preferences });
    await page.reload();
    await page.locator("nav button").first().waitFor();
  };
  await setPreferences({ language: "en", theme: "light", digits: "latin" });
  return { page, errors, close, invoke, setPreferences };
}
