// The main job with the real core, the real service and the real sign-in pages behind it. The tests go on from one another, as a
// day at work does: signed out, signing in, an invoice from its first line to frozen, another organization, signed out again.
// So the first that fails is the last that runs, except that every look of a screen is looked at.

import assert from "node:assert/strict";
import { join } from "node:path";
import { assertNoBarriers, looks } from "./browser.mjs";

const HOME = "Al-Khair Trading";

export async function invoiceWorkflowTests(run, browser, host, pictures) {
  let broken = false;
  const test = async (name, body) => {
    if (!broken) broken = !(await run(name, body));
  };
  const { page, troubles } = await browser.page();
  page.setDefaultTimeout(10_000);
  const button = (name, options = {}) => page.getByRole("button", { name, ...options });
  const switcherOf = (name) => button(new RegExp(`${name}.*switch organization`));
  const invoke = (command, args = {}) =>
    page.evaluate(([name, given]) => window.__TAURI_INTERNALS__.invoke(name, given), [command, args]);
  const prefer = async (preferences) => {
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

  /** Shows a screen in every look, each read by axe and kept as a picture. */
  const inEveryLook = async (name, show) => {
    for (const look of looks) {
      if (broken) return;
      await run(`${name} ${look.language} ${look.theme}: no barriers`, async () => {
        await prefer(look);
        assert.equal(await page.evaluate(() => document.documentElement.dir), look.language === "ar" ? "rtl" : "ltr");
        await show(look);
        await assertNoBarriers(page, name);
        await page.screenshot({ path: join(pictures, `${name}-${look.language}-${look.theme}.png`) });
        await assertFits(page);
      });
    }
    await prefer({});
  };

  /** Goes through the service's own sign-in page, in a page of its own, and comes back as the browser would. */
  const signInThere = async (username, password) => {
    const address = await (await fetch(`${host}/opened`)).json();
    const { page: there, close } = await browser.page();
    let answer;
    there.on("response", (response) => {
      const { location } = response.headers();
      if (location?.startsWith("com.invoicedesk.desktop:")) answer = location;
    });
    await there.goto(address);
    await there.fill("#username", username);
    await there.fill("#password", password);
    await there.locator("button[name=action][value=sign-in].primary").click();
    await there.waitForLoadState("load").catch(() => undefined);
    // A deep link goes to the application, which a browser alone does not have: it is handed over as the system would.
    if (answer) await invoke("paste_callback", { address: answer });
    await switcherOf("").waitFor();
    await close();
  };

  await page.goto(host);
  const account = (await invoke("environments"))[0].demoAccounts[0];

  await inEveryLook("sign-in", () => page.locator("[role=radiogroup]").waitFor());

  await test("a sign-in that waits can be given up", async () => {
    await button("Continue in your browser").click();
    await page.getByText("Waiting for your browser to come back").waitFor();
    await button("Copy the link").waitFor();
    await button("Cancel").click();
    await button("Continue in your browser").waitFor();
  });

  await test("an answer that is not one is refused in words, and the attempt goes on", async () => {
    await button("Continue in your browser").click();
    await page.getByText("Waiting for your browser to come back").waitFor();
    await invoke("paste_callback", { address: "com.invoicedesk.desktop://nowhere" }).catch(() => undefined);
    await page.getByText("This is not the answer of a sign-in").waitFor();
    await button("Paste the answer").click();
    await page.getByLabel("Paste the answer").waitFor();
    await button("Cancel").click();
    await button("Continue in your browser").waitFor();
  });

  await inEveryLook("waiting", async ({ language }) => {
    await page.locator("main button").first().waitFor();
    if (await page.locator("[role=radiogroup]").count()) await invoke("start_sign_in", { environment: "local" });
    await page.getByRole("heading", { name: language === "ar" ? "سجّل الدخول في متصفحك" : "Sign in in your browser" }).waitFor();
  });

  await test("signs in through the browser into the home organization", async () => {
    await invoke("cancel_sign_in").catch(() => undefined);
    await button("Continue in your browser").click();
    await page.getByText("Waiting for your browser").waitFor();
    await signInThere(account.username, account.password);
    // A session of before may have ended in another organization, where the window opens again.
    const home = (await invoke("organizations")).find((organization) => organization.home);
    await invoke("switch_organization", { organization: home.id });
    await switcherOf(HOME).waitFor();
    await page.getByText("Online").waitFor();
  });

  await test("writes an invoice by keyboard alone: wrong at first, then right", async () => {
    await openHome();
    await page.keyboard.press("Control+n");
    await page.getByRole("heading", { name: "New invoice" }).waitFor();
    await page.keyboard.press("Control+Enter");
    const summary = page.getByRole("alert").filter({ hasText: "Nothing was sent" });
    await summary.waitFor();
    await page.waitForFunction(() => document.activeElement?.getAttribute("role") === "alert");
    for (const words of ["Give the buyer's name", "Give a description", "Give a unit price"]) {
      assert.ok(await summary.getByText(words).count(), `the summary says: ${words}`);
      assert.equal(await page.getByText(words).count(), 2, `the field says the same: ${words}`);
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

  await test("a line moves, goes and comes back without the pointer", async () => {
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

  await test("what was typed outlives the window", async () => {
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

  await inEveryLook("editor", async () => {
    await page.locator("nav button").nth(1).click();
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

  await test("saves it to the books, issues it and freezes it, asked each time in the organization's name", async () => {
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
      "nothing that cannot be undone is focused",
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
    assert.equal(await button("Freeze").count(), 0, "what is frozen offers no freezing");
  });

  await inEveryLook("invoices", async () => {
    const row = page.locator('[role=row][data-index="0"]');
    await row.locator("[data-column=gross]").waitFor();
    await row.locator("[data-tick]").click();
    await row.locator("[data-column=buyer]").click();
    await page.locator("aside h2").waitFor();
  });

  await test("the list is walked, selected from and opened by keyboard", async () => {
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
    await page.getByRole("complementary").getByRole("heading").waitFor();
    await page.waitForFunction(() => document.activeElement?.tagName === "ASIDE");
    await page.keyboard.press("Escape");
    await page.waitForFunction(() => document.activeElement?.getAttribute("data-index") === "0");
  });

  await test("the search asks the service, and says when nothing fits", async () => {
    await page.keyboard.press("Control+k");
    await page.keyboard.type("nobody of this name");
    await page.getByText("No invoice fits these filters.").waitFor();
    await button("Clear filters").click();
    await page.locator('[data-index="0"] [data-column=gross]').waitFor();
  });

  await test("a status filter narrows the list and stands as a chip", async () => {
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

  await inEveryLook("switcher", async () => {
    await page.locator("header button").first().waitFor();
    await page.keyboard.press("Control+o");
    await page.getByRole("listbox").waitFor();
  });
  await inEveryLook("shortcuts", async () => {
    await page.locator("header button").first().waitFor();
    await page.keyboard.press("Control+/");
    await page.getByRole("dialog").waitFor();
  });
  await inEveryLook("account", async () => {
    await page.locator("header button").last().click();
    await page.getByRole("menu").waitFor();
  });
  await inEveryLook("drafts", async () => {
    await page.locator("nav button").nth(1).click();
    await page.locator("h1").waitFor();
  });

  for (const width of [1000, 640]) {
    await test(`at ${width} px nothing needs sideways scrolling and the detail slides over`, async () => {
      await page.setViewportSize({ width, height: 700 });
      await openHome();
      await page.locator('[data-index="0"] [data-column=buyer]').click();
      await page.getByRole("complementary").getByRole("heading").waitFor();
      await assertFits(page);
      await assertNoBarriers(page, `${width} px`);
      await page.screenshot({ path: join(pictures, `narrow-${width}.png`) });
      await page.setViewportSize({ width: 1280, height: 800 });
    });
  }

  await test("an organization that nobody has made a tenant of says so, keeps its id at hand, and offers the others", async () => {
    await openHome();
    await page.keyboard.press("Control+o");
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
    await assertNoBarriers(page, "unavailable organization");
    await page.screenshot({ path: join(pictures, "unavailable-en-light.png") });
    await button("Switch organization").first().click();
    await page.getByRole("option", { name: new RegExp(HOME) }).click();
    await switcherOf(HOME).waitFor();
    await page.locator('[data-index="0"] [data-column=gross]').waitFor();
  });

  await test("a viewer may look and is told, in words, what she may not do", async () => {
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
    await assertNoBarriers(page, "permission denied");
    await page.screenshot({ path: join(pictures, "denied-en-light.png") });
    await page.keyboard.press("Control+o");
    await page.getByRole("option", { name: new RegExp(HOME) }).click();
    await switcherOf(HOME).waitFor();
  });

  await test("the language, the theme and the digits change at once and are kept", async () => {
    const kept = page.waitForResponse((answer) => answer.url().endsWith("/save_preferences"));
    await page.keyboard.press("Control+Shift+L");
    await page.locator("html[lang=ar][dir=rtl]").waitFor();
    await kept;
    await page.reload();
    await page.locator("html[lang=ar][dir=rtl] nav").waitFor();
    await page.locator("header button").last().click();
    await page.getByRole("menuitemradio", { name: "٠ ١ ٢ ٣" }).click();
    await page.locator("footer").getByText(/[٠-٩]/).first().waitFor();
    await prefer({});
  });

  await test("signs out", async () => {
    await page.getByRole("button", { name: /Account of/ }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await button("Continue in your browser").waitFor();
  });

  await test("nothing broke the content security policy, and no script failed, all along", async () => {
    assert.deepEqual(troubles, []);
  });
}

/** The window never scrolls sideways. */
async function assertFits(page) {
  const wide = await page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);
  assert.equal(wide, false, "the window needs no sideways scrolling");
}
