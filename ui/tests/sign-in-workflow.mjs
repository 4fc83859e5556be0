// Browser tests of signing in and out with the real core and the pages of the service. The window begins signed out.

import assert from "node:assert/strict";
import { settled } from "./browser.mjs";
import { invokeOf } from "./signed-in.mjs";
import { walkByTab } from "./tab-walk.mjs";
import { HOME, windowOf } from "./window-flow.mjs";

/** Signs in on the page of the service that the core has opened, and waits until the window of `page` has the account. */
async function signInAtService(browser, host, page, { username, password }) {
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

export async function signInTests(run, browser, { host }) {
  const { page, errors, close: closeWindow } = await browser.page();
  page.setDefaultTimeout(10_000);
  const invoke = invokeOf(page);
  const { test, button, switcherOf, inEveryAppearance, setPreferences } = windowOf(run, page, invoke);

  await page.goto(host);
  await page.locator("main").first().waitFor();
  if ((await invoke("watch", { after: 0 })).session.state === "signedIn") await invoke("sign_out");
  await inEveryAppearance("sign-in", () => page.locator("[role=radiogroup]").waitFor());
  for (const language of ["ar", "en"]) {
    await test(`${language}: Tab leads through all of the sign-in in the order of reading, and back`, async () => {
      await setPreferences({ language });
      await page.locator("[role=radiogroup]").waitFor();
      await settled(page);
      await walkByTab(page, "the sign-in");
    });
  }

  await test("a waiting sign-in can be cancelled", async () => {
    await button("Continue in your browser").click();
    await page.getByText("Waiting for your browser to come back").waitFor();
    await button("Copy the link").waitFor();
    await button("Cancel").click();
    await button("Continue in your browser").waitFor();
  });

  await test("an invalid callback shows an error and the attempt continues", async () => {
    await button("Continue in your browser").click();
    await page.getByText("Waiting for your browser to come back").waitFor();
    await invoke("paste_callback", { address: "com.invoicedesk.desktop://nowhere" }).catch(() => undefined);
    await page.getByText("This is not the answer of a sign-in").first().waitFor();
    await button("Paste the answer").click();
    await page.getByLabel("Paste the answer").waitFor();
    await button("Cancel").click();
    await button("Continue in your browser").waitFor();
  });

  await inEveryAppearance("waiting", async ({ language }) => {
    await page.locator("main button").first().waitFor();
    if (await page.locator("[role=radiogroup]").count()) await invoke("start_sign_in", { environment: "local" });
    await page.getByRole("heading", { name: language === "ar" ? "سجّل الدخول في متصفحك" : "Sign in in your browser" }).waitFor();
  });

  await test("signing in through the browser opens the home organization", async () => {
    await invoke("cancel_sign_in").catch(() => undefined);
    await button("Continue in your browser").click();
    await page.getByText("Waiting for your browser").waitFor();
    // The embedded service has started with the sign-in, and the window shows its accounts.
    const account = (await invoke("environments"))[0].demoAccounts[0];
    await page.getByText(account.password).waitFor();
    await signInAtService(browser, host, page, account);
    // A previous session may have ended in another organization, which the window restores.
    const home = (await invoke("organizations")).find((organization) => organization.home);
    await invoke("switch_organization", { organization: home.id });
    await switcherOf(HOME).waitFor();
    await page.getByText("Online").waitFor();
  });

  await test("signing out shows the sign-in screen", async () => {
    await page.getByRole("button", { name: /Account of/ }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await button("Continue in your browser").waitFor();
  });

  await test("no test caused a script error or a violation of the content security policy", async () => {
    assert.deepEqual(errors, []);
  });
  await closeWindow();
}
