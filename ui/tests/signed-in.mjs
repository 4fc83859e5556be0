// A page of `ui-host` with a signed-in account of the embedded environment, in English and light, whatever was before it. It is signed in by
// requests, with the form of the service and its token: the flow of the sign-in has its pages in a browser.

import assert from "node:assert/strict";
import { until } from "./browser.mjs";
import { timed } from "./durations.mjs";

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

/** Calls the commands of the core as its main window does, before a page shows it. */
export function commandsOf(host) {
  return async (command, args = {}) => {
    const answer = await fetch(`${host}/commands/${command}`, {
      method: "POST",
      headers: { "content-type": "application/json", origin: host },
      body: JSON.stringify(args),
    });
    const text = await answer.text();
    assert.ok(answer.ok, `${command} is answered with ${answer.status}: ${text}`);
    return JSON.parse(text);
  };
}

/** The session, once the core reads no keyring and no answer of the service any more. */
async function sessionOf(invoke) {
  let session;
  await until(async () => {
    ({ session } = await invoke("watch", { after: 0 }));
    return ["signedIn", "signedOut"].includes(session.state);
  });
  return session;
}

/** Submits the form of a sign-in page as a browser does, which follows the answer to the address of the core. */
async function submitSignIn(address, { username, password }) {
  const page = await fetch(address);
  const html = await page.text();
  const find = (pattern) =>
    pattern.exec(html)?.[1].replaceAll("&amp;", "&") ?? assert.fail(`the sign-in page, status ${page.status}, has no ${pattern}`);
  const action = new URL(find(/<form[^>]* action="([^"]*)"/), address);
  const cookies = page.headers.getSetCookie().map((cookie) => cookie.split(";")[0]);
  const answer = await fetch(action, {
    method: "POST",
    headers: { origin: action.origin, cookie: cookies.join("; ") },
    body: new URLSearchParams({ page: find(/name="page" value="([^"]*)"/), username, password, action: "sign-in" }),
  });
  assert.ok(answer.ok, `the sign-in is answered with ${answer.status}`);
}

/** Has the core have the account of a user, whoever is signed in there. */
async function signIn(host, invoke, username) {
  const before = await sessionOf(invoke);
  if (before.state === "signedIn") {
    if (before.account.username === username) return;
    await invoke("sign_out");
  }
  await invoke("start_sign_in", { environment: "local" });
  const account = (await invoke("environments"))[0].demoAccounts.find((each) => each.username === username);
  await submitSignIn(await (await fetch(`${host}/opened`)).json(), account);
  const { state, error } = await sessionOf(invoke);
  assert.equal(state, "signedIn", JSON.stringify(error));
}

/** The page of a user in a new context, and what calls its core. It is opened once the core has the account. */
export async function signedInPage(browser, host, username, options = {}) {
  const core = commandsOf(host);
  await timed("sign-in", () => signIn(host, core, username));
  await core("save_preferences", { preferences: { language: "en", theme: "light", digits: "latin" } });
  const { page, errors, close } = await browser.page(options);
  page.setDefaultTimeout(15_000);
  await timed("first load", async () => {
    await page.goto(host);
    await page.locator("html[lang=en][data-theme=light] nav button").first().waitFor();
  });
  const invoke = invokeOf(page);
  /** Saves preferences, those that are not named being the defaults, and opens the window again. */
  const setPreferences = async (preferences) => {
    await invoke("save_preferences", { preferences });
    await page.reload();
    await page.locator("nav button").first().waitFor();
  };
  return { page, errors, close, invoke, setPreferences };
}
