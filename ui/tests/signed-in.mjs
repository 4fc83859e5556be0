// A page of `ui-host` with a signed-in account of the embedded environment, in English and light, whatever was before it.

/** `prepare` is called with the page before it is opened. */
export async function signedInPage(browser, host, username, options = {}, prepare = () => undefined) {
  const { page, errors, close } = await browser.page(options);
  page.setDefaultTimeout(15_000);
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
