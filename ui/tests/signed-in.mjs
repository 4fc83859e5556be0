// A page of `ui-host` with a signed-in account of the embedded environment, in English and light, whatever was before it.

import assert from "node:assert/strict";

/** How long the focus may be nowhere after a key: a screen may have to be loaded. */
const FOCUS_TIMEOUT_MS = 5_000;

/** Whether an element of the page has the focus. Runs in the page. */
function hasFocus() {
  return document.activeElement !== null && document.activeElement !== document.body;
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

/** `prepare` is called with the page before it is opened. */
export async function signedInPage(browser, host, username, options = {}, prepare = () => undefined) {
  const { page, errors, close } = await browser.page(options);
  page.setDefaultTimeout(15_000);
  keepFocusAfterKeys(page);
  await prepare(page);
  await page.goto(host);
  await page.locator("main").first().waitFor();
  const invoke = (command, args = {}) =>
    page.evaluate(([name, parameters]) => window.__TAURI_INTERNALS__.invoke(name, parameters), [command, args]);
  const session = async () => (await invoke("watch", { after: 0 })).session;
  const current = await session();
  if (current.state === "signedIn" && current.account.username !== username) await invoke("sign_out");
  if (current.state !== "signedIn" || current.account.username !== username) {
    await page.locator("[role=radiogroup]").waitFor();
    await invoke("start_sign_in", { environment: "local" });
    const account = (await invoke("environments"))[0].demoAccounts.find((each) => each.username === username);
    const address = await (await fetch(`${host}/opened`)).json();
    const { page: signInPage, close: closeSignIn } = await browser.page();
    let answer;
    signInPage.on("response", (response) => {
      const { location } = response.headers();
      if (location?.startsWith("com.invoicedesk.desktop:")) answer = location;
    });
    await signInPage.goto(address);
    await signInPage.fill("#username", account.username);
    await signInPage.fill("#password", account.password);
    await signInPage.locator("button[name=action][value=sign-in].primary").click();
    await signInPage.waitForLoadState("load").catch(() => undefined);
    if (answer) await invoke("paste_callback", { address: answer });
    await closeSignIn();
  }
  await page.locator("header button").first().waitFor();
  /** Saves preferences, those that are not named being the defaults, and opens the window again. */
  const setPreferences = async (preferences) => {
    await invoke("save_preferences", { preferences });
    await page.reload();
    await page.locator("nav button").first().waitFor();
  };
  await setPreferences({ language: "en", theme: "light", digits: "latin" });
  return { page, errors, close, invoke, setPreferences };
}
