// Browser tests of the main workflow with the real core, service and sign-in pages. Each test continues from the state of the one
// before: sign-in, an invoice from its first line to frozen, another organization, sign-out. After a failure the rest is skipped,
// except that each screen is checked in every appearance.

import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { appearances, assertAccessible } from "./browser.mjs";
import { dayTests } from "./day-workflow.mjs";
import { editorTests } from "./editor-workflow.mjs";
import { keyboardTests } from "./keyboard-workflow.mjs";
import { memoryTests } from "./memory-workflow.mjs";
import { paperTests } from "./paper-workflow.mjs";

const HOME = "Al-Khair Trading";

/** The name of a draft's file that cannot be decrypted. */
const DAMAGED = "0199f3a0-0000-7000-8000-0000000000aa.draft";

export async function invoiceWorkflowTests(run, browser, { host, data }, screenshots) {
  let failed = false;
  const test = async (name, body) => {
    if (!failed) failed = !(await run(name, body));
  };
  const { page, errors, close: closeWindow } = await browser.page();
  page.setDefaultTimeout(10_000);
  const button = (name, options = {}) => page.getByRole("button", { name, ...options });
  const switcherOf = (name) => button(new RegExp(`${name}.*switch organization`));
  const invoke = (command, args = {}) =>
    page.evaluate(([name, parameters]) => window.__TAURI_INTERNALS__.invoke(name, parameters), [command, args]);
  const setPreferences = async (preferences) => {
    await invoke("save_preferences", { preferences: { language: "en", theme: "light", digits: "latin", ...preferences } });
    await page.reload();
    await page
      .locator(`html[lang=${preferences.language ?? "en"}] main`)
      .first()
      .waitFor();
  };
  const openHome = async () => {
    await page.reload();
    await page.getByRole("grid").or(page.getByText("has no invoices yet")).first().waitFor();
  };

  /** Opens a screen in every appearance, checks it with axe and takes a screenshot. */
  const inEveryAppearance = async (name, show) => {
    for (const appearance of appearances) {
      if (failed) return;
      await run(`${name} ${appearance.language} ${appearance.theme}: is accessible`, async () => {
        await setPreferences(appearance);
        assert.equal(await page.evaluate(() => document.documentElement.dir), appearance.language === "ar" ? "rtl" : "ltr");
        await show(appearance);
        await assertAccessible(page, name);
        await page.screenshot({ path: join(screenshots, `${name}-${appearance.language}-${appearance.theme}.png`) });
        await assertNoHorizontalScroll(page);
      });
    }
    await setPreferences({});
  };

  /** Signs in on the page of the service, in a new page, and returns its answer to the application. */
  const signInAtService = async (username, password) => {
    const address = await (await fetch(`${host}/opened`)).json();
    const { page: signInPage, close } = await browser.page();
    let answer;
    signInPage.on("response", (response) => {
      const { location } = response.headers();
      if (location?.startsWith("com.invoicedesk.desktop:")) answer = location;
    });
    await signInPage.goto(address);
    await signInPage.fill("#username", username);
    await signInPage.fill("#password", password);
    await signInPage.locator("button[name=action][value=sign-in].primary").click();
    await signInPage.waitForLoadState("load").catch(() => undefined);
    // The browser cannot open a deep link, so the test passes it to the application.
    if (answer) await invoke("paste_callback", { address: answer });
    await switcherOf("").waitFor();
    await close();
  };

  await page.goto(host);
  await inEveryAppearance("sign-in", () => page.locator("[role=radiogroup]").waitFor());

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
    await page.getByText("This is not the answer of a sign-in").waitFor();
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
    await signInAtService(account.username, account.password);
    // A previous session may have ended in another organization, which the window restores.
    const home = (await invoke("organizations")).find((organization) => organization.home);
    await invoke("switch_organization", { organization: home.id });
    await switcherOf(HOME).waitFor();
    await page.getByText("Online").waitFor();
  });

  await test("an invoice can be entered by keyboard, with errors that disappear once corrected", async () => {
    await openHome();
    await page.keyboard.press("Control+n");
    await page.getByRole("heading", { name: "New invoice" }).waitFor();
    await page.keyboard.press("Control+Enter");
    const summary = page.getByRole("alert").filter({ hasText: "Nothing was sent" });
    await summary.waitFor();
    await page.waitForFunction(() => document.activeElement?.getAttribute("role") === "alert");
    for (const text of ["Give the buyer's name", "Give a description", "Give a unit price"]) {
      assert.ok(await summary.getByText(text).count(), `the summary says: ${text}`);
      assert.equal(await page.getByText(text).count(), 2, `the field says the same: ${text}`);
    }
    await page.keyboard.press("Control+j");
    await page.keyboard.type("Nakheel Medical Supplies");
    await page.keyboard.press("Control+j");
    await page.keyboard.type("Sterile gloves");
    await page.keyboard.press("Tab");
    await page.keyboard.type("500");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await page.keyboard.type("30.50");
    await summary.waitFor({ state: "detached" });
    await page.keyboard.press("Enter");
    await page.locator('[data-row="1"] [data-cell="description.en"]:focus').waitFor();
    await page.keyboard.type("Delivery");
    await page.locator('[data-row="1"] [data-cell="unitPrice"]').focus();
    await page.keyboard.type("100");
    await page.getByText("SAR\u00a017,652.50").waitFor();
  });

  await test("a line can be moved, removed and restored by keyboard", async () => {
    const quantity = (row) => page.locator(`[data-row="${row}"] [data-cell="description.en"]`);
    await quantity(1).focus();
    await page.keyboard.press("Alt+ArrowUp");
    await page.waitForFunction(() => document.querySelector('[data-row="0"] [data-cell="description.en"]')?.value === "Delivery");
    await page.keyboard.press("Control+Delete");
    await page.waitForFunction(() => document.querySelectorAll("[data-row]").length === 1);
    await page.keyboard.press("Control+z");
    await page.waitForFunction(() => document.querySelectorAll("[data-row]").length === 2);
    assert.equal(await quantity(0).inputValue(), "Delivery");
  });

  await test("a draft survives a reload", async () => {
    await page.getByText("Kept on this computer").waitFor();
    await openHome();
    await button("Drafts").click();
    await page
      .getByRole("button", { name: /Nakheel Medical Supplies/ })
      .first()
      .click();
    await page.getByRole("heading", { name: "New invoice" }).waitFor();
    assert.equal(await page.getByLabel("Name in English").inputValue(), "Nakheel Medical Supplies");
  });

  await inEveryAppearance("editor", async () => {
    await page
      .locator("nav")
      .getByRole("button", { name: /drafts|مسودات/i })
      .click();
    await page
      .getByRole("button", { name: /Nakheel/ })
      .first()
      .click();
    await page.locator("#editor-title").waitFor();
    await page.locator('[data-row="0"] [data-cell="unitPrice"]').fill("?");
    await page.keyboard.press("Control+Enter");
    await page.getByRole("alert").first().waitFor();
    await page.waitForFunction(() => document.activeElement?.getAttribute("role") === "alert");
    await page.locator('[data-row="0"] [data-cell="unitPrice"]').fill("100");
    await page.getByRole("alert").first().waitFor({ state: "detached" });
    await page.locator('[data-row="0"] [data-cell="unitPrice"]').fill("?");
    await page.getByRole("alert").first().waitFor();
  });

  await test("an invoice is saved, issued and frozen after confirmations that name the organization", async () => {
    await button("Drafts").click();
    await page
      .getByRole("button", { name: /Nakheel/ })
      .first()
      .click();
    await page.locator('[data-row="0"] [data-cell="unitPrice"]').fill("100");
    await page.keyboard.press("Control+Enter");
    const detail = page.getByRole("complementary");
    await detail.getByText("Draft").first().waitFor();
    await detail.getByText("SAR\u00a017,652.50").first().waitFor();
    await page.keyboard.press("Control+Shift+I");
    const question = page.getByRole("alertdialog");
    await question.getByText(HOME).waitFor();
    assert.equal(
      await page.evaluate(() => document.activeElement?.textContent),
      "Cancel",
      "the irreversible action is not focused",
    );
    await question.getByRole("button", { name: "Issue" }).click();
    await detail
      .getByText(/Issued.*\d:\d/)
      .first()
      .waitFor();
    await page.keyboard.press("Control+Shift+F");
    await question.getByText(HOME).waitFor();
    await question.getByText("SAR\u00a017,652.50").waitFor();
    await question.getByRole("button", { name: "Freeze for good" }).click();
    await detail
      .getByText(/Frozen.*\d:\d/)
      .first()
      .waitFor();
    assert.equal(await button("Freeze").count(), 0, "a frozen invoice has no Freeze button");
  });

  await inEveryAppearance("invoices", async () => {
    const row = page.locator('[role=row][data-index="0"]');
    await row.locator("[data-column=gross]").waitFor();
    await row.locator("[data-tick]").click();
    await row.locator("[data-column=buyer]").click();
    await page.locator("aside h2").waitFor();
  });

  await test("the list supports keyboard navigation, selection and opening", async () => {
    await openHome();
    await page.locator('[role=row][tabindex="0"]').focus();
    await page.keyboard.press("End");
    const total = Number(await page.getByRole("grid").getAttribute("aria-rowcount")) - 1;
    await page.waitForFunction((last) => document.activeElement?.getAttribute("aria-rowindex") === String(last), total + 1);
    await page.keyboard.press("Home");
    await page.locator('[data-index="0"]:focus [data-column=gross]').waitFor();
    await page.keyboard.press(" ");
    await page.getByText("1 selected").waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("complementary").getByRole("heading", { level: 2 }).waitFor();
    await page.waitForFunction(() => document.activeElement?.tagName === "ASIDE");
    await page.keyboard.press("Escape");
    await page.waitForFunction(() => document.activeElement?.getAttribute("data-index") === "0");
  });

  await test("a search without result shows an empty list with a button that clears it", async () => {
    await page.keyboard.press("/");
    await page.keyboard.type("nobody of this name");
    await page.getByText("No invoice fits these filters.").waitFor();
    await button("Clear filters").click();
    await page.locator('[data-index="0"] [data-column=gross]').waitFor();
  });

  await test("a status filter filters the list and shows a chip", async () => {
    await openHome();
    await page.keyboard.press("Control+f");
    await page.getByRole("menuitem", { name: "Status" }).click();
    await page.getByText("Frozen", { exact: true }).last().click();
    await page.keyboard.press("Escape");
    await button(/Status.*Frozen/)
      .first()
      .waitFor();
    await page.locator('[data-index="0"]').getByText("Frozen").waitFor();
    await button(/Remove the filter/).click();
  });

  await inEveryAppearance("switcher", async () => {
    await page.locator("header button").first().waitFor();
    await page.keyboard.press("Control+o");
    await page.getByRole("listbox").waitFor();
  });
  await inEveryAppearance("shortcuts", async () => {
    await page.locator("header button").first().waitFor();
    await page.keyboard.press("Control+/");
    await page.getByRole("dialog").waitFor();
  });
  const accountButton = () => page.locator("header").getByRole("button", { name: /^(Account|الحساب|حساب)/ });
  await inEveryAppearance("account", async () => {
    await accountButton().click();
    await page.getByRole("menu").waitFor();
  });
  const openFromAccountMenu = async (name) => {
    await accountButton().click();
    await page.getByRole("menuitem", { name }).click();
    await page.getByRole("dialog").waitFor();
  };
  await inEveryAppearance("accounts", async () => {
    await openFromAccountMenu(/^(Accounts|الحسابات)/);
    await page.getByRole("dialog").getByRole("list").waitFor();
  });
  await inEveryAppearance("support", async () => {
    await openFromAccountMenu(/^(Connection and support|الاتصال والدعم)/);
    await button(/^(Check now|افحص الآن)$/).click();
    await page.getByText(/^(Every step worked\.|نجحت كل الخطوات\.)$/).waitFor();
    await button(/^(Make the report|إعداد التقرير)$/).click();
    await page.getByRole("textbox", { name: /^(Report|التقرير)$/ }).waitFor();
  });
  await inEveryAppearance("drafts", async () => {
    await page
      .locator("nav")
      .getByRole("button", { name: /drafts|مسودات/i })
      .click();
    await page.locator("h1").waitFor();
  });

  const damagedFiles = [];
  await test("a draft that cannot be read is counted beside the drafts, with its reason", async () => {
    for (const folder of draftFolders(data)) {
      const file = join(folder, DAMAGED);
      writeFileSync(file, "cut short");
      damagedFiles.push(file);
    }
    assert.ok(damagedFiles.length > 0, "an earlier test has saved drafts");
    await openHome();
    await page
      .getByRole("navigation")
      .getByRole("button", { name: /1 draft of this computer cannot be read/ })
      .click();
    await page.getByRole("heading", { name: "1 draft of this computer cannot be read" }).waitFor();
    await page.getByText("Its file is damaged.").waitFor();
  });

  await inEveryAppearance("unreadable-drafts", async () => {
    await page
      .locator("nav")
      .getByRole("button", { name: /drafts|مسودات/i })
      .click();
    await page.locator("#unreadable-title").waitFor();
  });

  await test("a draft that cannot be read is copied, kept by default, and deleted on request", async () => {
    await openHome();
    await page
      .locator("nav")
      .getByRole("button", { name: /drafts|مسودات/i })
      .click();
    await button("Save copies").click();
    const copied = await page.getByText(/1 copy is in/).innerText();
    const [, folder] = /1 copy is in (.*)\. It can hold/.exec(copied.replaceAll(/[\u2068\u2069]/g, ""));
    assert.equal(readFileSync(join(folder, DAMAGED), "utf8"), "cut short");
    const question = page.getByRole("alertdialog");
    await button(/Delete the draft of/).click();
    await question.waitFor();
    await assertAccessible(page, "deletion of an unreadable draft");
    await page.keyboard.press("Enter");
    await question.waitFor({ state: "detached" });
    assert.ok(
      damagedFiles.every((file) => existsSync(file)),
      "the draft is kept by default",
    );
    await button(/Delete the draft of/).click();
    await question.getByRole("button", { name: "Delete" }).click();
    await page.locator("#unreadable-title").waitFor({ state: "detached" });
    assert.equal(damagedFiles.filter((file) => existsSync(file)).length, damagedFiles.length - 1);
  });

  for (const width of [1000, 640, 480, 320]) {
    await test(`at ${width} px the window does not scroll horizontally and the detail overlays the list`, async () => {
      await page.setViewportSize({ width, height: 700 });
      await openHome();
      await page.locator('[data-index="0"] [data-column=buyer]').click();
      await page.getByRole("complementary").getByRole("heading", { level: 2 }).waitFor();
      await assertNoHorizontalScroll(page);
      await assertAccessible(page, `${width} px`);
      await page.screenshot({ path: join(screenshots, `narrow-${width}.png`) });
      await page.keyboard.press("Escape");
      await assertInside(page, '[data-index="0"] [data-column=gross]');
      await assertInside(page, "header button:last-of-type");
      await page.keyboard.press("Control+n");
      await page.locator("#editor-title").waitFor();
      await assertNoHorizontalScroll(page);
      for (const action of await page.locator("main header button").all()) await assertInside(page, action);
      await page.screenshot({ path: join(screenshots, `narrow-editor-${width}.png`) });
      await button("Back").first().click();
      await page.setViewportSize({ width: 1280, height: 800 });
    });
  }

  await test("an organization without a tenant shows the error with support details and offers the others", async () => {
    await openHome();
    await page.keyboard.press("Control+o");
    await page.getByRole("listbox").waitFor();
    await page.keyboard.type("administrator");
    await page.getByText("No organization of yours has this name.").waitFor();
    await page.keyboard.press("Control+a");
    const organizations = await invoke("organizations");
    const unresolvable = organizations.find(({ roles }) => roles.includes("administrator"));
    await page.keyboard.type(unresolvable.domain);
    await page.keyboard.press("Enter");
    await page.getByText("is not available right now. Your other organizations are.").waitFor();
    await page
      .getByText(/Trying again in/)
      .first()
      .waitFor();
    await button("Copy support details").waitFor();
    await assertAccessible(page, "unavailable organization");
    await page.screenshot({ path: join(screenshots, "unavailable-en-light.png") });
    await button("Switch organization").first().click();
    await page.getByRole("option", { name: new RegExp(HOME) }).click();
    await switcherOf(HOME).waitFor();
    await page.locator('[data-index="0"] [data-column=gross]').waitFor();
  });

  await test("a viewer can read and gets a permission error on saving", async () => {
    const organizations = await invoke("organizations");
    const viewed = organizations.find(({ roles }) => roles.includes("viewer"));
    await invoke("switch_organization", { organization: viewed.id });
    await switcherOf(viewed.name).waitFor();
    await page.getByRole("grid").or(page.getByText("has no invoices yet")).first().waitFor();
    await page.keyboard.press("Control+n");
    await page.getByLabel("Name in English").fill("Hilal Pharmacy");
    await page.locator('[data-cell="description.en"]').fill("Delivery");
    await page.locator('[data-cell="unitPrice"]').fill("10");
    await page.keyboard.press("Control+Enter");
    await page.getByText(/You may not .*create invoices.* with your current role\. Your work is kept\./).waitFor();
    await button("Copy a request for your administrator").waitFor();
    await assertAccessible(page, "permission denied");
    await page.screenshot({ path: join(screenshots, "denied-en-light.png") });
    await page.keyboard.press("Control+o");
    await page.getByRole("option", { name: new RegExp(HOME) }).click();
    await switcherOf(HOME).waitFor();
  });

  await keyboardTests(test, page, { openHome, button }, screenshots);
  await editorTests(test, page, { openHome, invoke }, screenshots);
  await paperTests(test, page, { openHome, setPreferences, button, data }, screenshots);
  await dayTests(test, page, { openHome, setPreferences, invoke }, screenshots);
  await memoryTests(test, page, { openHome, invoke, setPreferences }, screenshots);

  await test("language and digits change at once and are stored", async () => {
    const stored = page.waitForResponse((answer) => answer.url().endsWith("/save_preferences"));
    await page.keyboard.press("Control+Shift+L");
    await page.locator("html[lang=ar][dir=rtl]").waitFor();
    await stored;
    await page.reload();
    await page.locator("html[lang=ar][dir=rtl] nav").waitFor();
    await accountButton().click();
    await page.getByRole("menuitemradio", { name: "٠ ١ ٢ ٣" }).click();
    await page.locator("footer").getByText(/[٠-٩]/).first().waitFor();
    await setPreferences({});
  });

  await test("signing out shows the sign-in screen", async () => {
    await page.getByRole("button", { name: /Account of/ }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await button("Continue in your browser").waitFor();
  });

  await test("no test caused a script error or a violation of the content security policy", async () => {
    assert.deepEqual(errors, []);
  });
  // Otherwise it would go on as the main window beside those of the other flows, and take their links.
  await closeWindow();
}

/** The folders of all owners of drafts below a folder. */
function draftFolders(root) {
  return readdirSync(root, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isDirectory() && /^[0-9a-f]{32}$/.test(entry.name) && entry.parentPath.endsWith("drafts"))
    .map((entry) => join(entry.parentPath, entry.name));
}

/** Asserts that an element is inside the window from its start to its end. */
async function assertInside(page, element) {
  const box = await (typeof element === "string" ? page.locator(element).last() : element).boundingBox();
  const { width } = page.viewportSize();
  assert.ok(box && box.x >= 0 && box.x + box.width <= width + 0.5, `${element} is inside ${width} px: ${JSON.stringify(box)}`);
}

/** Asserts that the window does not scroll horizontally. */
async function assertNoHorizontalScroll(page) {
  const wide = await page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);
  assert.equal(wide, false, "the window does not scroll horizontally");
}
