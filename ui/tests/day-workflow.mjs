// Browser tests of finding and overview: the command palette, organizations, today, all clients and insights. By keyboard alone.

import assert from "node:assert/strict";
import { takeScreenshot } from "./browser.mjs";
import { noFilter } from "./documents.mjs";
import { assertAccessibleIn, inEachAppearance } from "./each-appearance.mjs";
import { waitForFocus } from "./signed-in.mjs";

export async function dayTests({ page, test, homeIsShown, openHome, setPreferences, invoke }) {
  const palette = page.getByRole("combobox", { name: "Find a command" });
  const active = () =>
    page.evaluate(
      () => document.getElementById(document.activeElement?.getAttribute("aria-activedescendant") ?? "")?.textContent,
    );
  const activeIs = (text) =>
    page.waitForFunction(
      (expected) =>
        document
          .getElementById(document.activeElement?.getAttribute("aria-activedescendant") ?? "")
          ?.textContent?.includes(expected),
      text,
    );
  const openPalette = async () => {
    await page.keyboard.press("Control+k");
    await palette.and(page.locator(":focus")).waitFor();
  };
  const choose = async (text, entry) => {
    await openPalette();
    await page.keyboard.type(text);
    await activeIs(entry);
    await page.keyboard.press("Enter");
    await palette.waitFor({ state: "detached" });
  };

  await test("the palette opens on Ctrl+K with a ring, moves by arrows, and closes with the focus where it was", async () => {
    await homeIsShown();
    // The list takes the focus by itself some frames after its rows are there.
    await page.locator("[role=grid] [data-index='0']").focus();
    const before = await page.evaluate(() => document.activeElement?.getAttribute("data-index"));
    await openPalette();
    const ring = await palette.evaluate((field) => getComputedStyle(field.closest(".field-box")).outlineStyle);
    assert.notEqual(ring, "none", "the field has a ring");
    const first = await active();
    await page.keyboard.press("ArrowDown");
    await page.waitForFunction(
      (text) =>
        document.getElementById(document.activeElement?.getAttribute("aria-activedescendant") ?? "")?.textContent !== text,
      first,
    );
    await page.keyboard.press("ArrowUp");
    await activeIs(first);
    await page.keyboard.press("Escape");
    await palette.waitFor({ state: "detached" });
    await page.waitForFunction((index) => document.activeElement?.getAttribute("data-index") === index, before);
  });

  await test("the palette runs a command with its shortcut shown, and lists it first the next time", async () => {
    await openPalette();
    await page.keyboard.type("nwinv");
    await activeIs("New invoice");
    assert.match(await active(), /Ctrl N/);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "New invoice" }).waitFor();
    await page.locator('[data-field="buyer.name.en"] :focus').waitFor();
    await choose("invoices", "Invoices");
    await page.getByRole("grid").first().waitFor();
    await openPalette();
    await activeIs("Invoices");
    await page.getByRole("group", { name: "Used last" }).waitFor();
    await page.keyboard.press("Escape");
  });

  /** The invoice at a place of the list, as the service has it. */
  const rowAt = async (skip) => {
    const { binding } = await invoke("watch", { after: 0 });
    const query = { ...noFilter, status: ["issued", "frozen"], kind: ["invoice"], skip, pageSize: 1 };
    const { rows } = await invoke("list_invoices", { binding, query });
    return rows[0];
  };
  const detail = page.getByRole("complementary");

  await test("the palette finds a document that the window has not loaded by its number in Arabic digits, and by its amount", async () => {
    await openHome();
    const { number, gross } = await rowAt(150);
    const arabic = number.replace(/\d/g, (digit) => "٠١٢٣٤٥٦٧٨٩"[digit]);
    await choose(arabic, number);
    await detail.getByText(number).first().waitFor();
    await openHome();
    await openPalette();
    await page.keyboard.type(gross);
    await page.getByRole("option").filter({ hasText: number }).waitFor();
    await page.keyboard.press("Escape");
  });

  await test("the palette shows the answer to the newest text only, and says when nothing fits", async () => {
    await openHome();
    const { buyer, number } = await rowAt(150);
    await openPalette();
    await page.keyboard.type("zzzz");
    await page.getByText("Nothing fits.").first().waitFor();
    await page.keyboard.press("Control+a");
    await page.keyboard.type(buyer.en);
    await page.getByRole("option").filter({ hasText: buyer.en }).first().waitFor();
    await page.keyboard.press("Control+a");
    await page.keyboard.type(number);
    await page.waitForFunction(() => document.querySelectorAll("[role=option]").length === 1);
    await activeIs(number);
    await page.keyboard.press("Escape");
  });

  const focusIsSomewhere = () => waitForFocus(page);

  await test("an organization is pinned from the switcher, and comes first with Ctrl+1", async () => {
    for (const { id, pinned } of await invoke("organizations"))
      if (pinned) await invoke("set_organization_pinned", { organization: id, pinned: false });
    await openHome();
    const [, second] = await invoke("organizations");
    await page.keyboard.press("Control+o");
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("searchbox").waitFor();
    await page.keyboard.type(second.id);
    await page.keyboard.press("ArrowDown");
    const option = page.locator(`[data-key="${second.id}"]`);
    await option.and(page.locator(":focus")).waitFor();
    await page.keyboard.press("Control+Shift+B");
    await option.getByText("Pinned", { exact: true }).waitFor({ state: "attached" });
    assert.equal((await invoke("organizations"))[0].id, second.id);
    await invoke("set_organization_pinned", { organization: second.id, pinned: false });
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
  });

  await test("today names what needs work, and a row opens the list with its filter", async () => {
    await openHome();
    await choose("today", "Today");
    await page.getByRole("heading", { name: "Today" }).waitFor();
    const row = page.getByRole("button", { name: /Drafts that are not issued/ });
    await row.waitFor();
    await focusIsSomewhere();
    const count = (await row.textContent()).match(/^[\d,]+/)[0];
    await row.focus();
    await page.keyboard.press("Enter");
    await page
      .getByText(/Status\W+Draft/)
      .first()
      .waitFor();
    await page.getByText(count === "1" ? /1 invoice:/ : new RegExp(`All \\W*${count}\\W*:`)).waitFor();
    await focusIsSomewhere();
  });

  await test("all clients shows a row for each organization, sorted by a column, and Enter opens one", async () => {
    await openHome();
    const organizations = await invoke("organizations");
    await choose("all clients", "All clients");
    await page.getByRole("heading", { name: "All clients" }).waitFor();
    const read = page.getByText(new RegExp(`^\\W*${organizations.length}\\W* organizations$`));
    await read.first().waitFor();
    assert.equal(await page.locator("[data-client]").count(), organizations.length);
    const { binding } = await invoke("watch", { after: 0 });
    await page.getByRole("button", { name: "Client", exact: true }).press("Enter");
    await page.getByRole("columnheader", { name: "Client" }).and(page.locator("[aria-sort=ascending]")).waitFor();
    const other = organizations.find(({ id }) => id !== binding.organization);
    await page.getByRole("searchbox", { name: "Name, domain or id" }).focus();
    await page.keyboard.type(other.id);
    await page.waitForFunction(() => document.querySelectorAll("[data-client]").length === 1);
    assert.deepEqual((await invoke("watch", { after: 0 })).binding, binding, "reading has bound nothing");
    await page.locator("[data-client]").focus();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Today" }).waitFor();
    assert.equal((await invoke("watch", { after: 0 })).binding.organization, other.id);
    await focusIsSomewhere();
    await invoke("switch_organization", { organization: binding.organization });
    await openHome();
  });

  await test("insights have a chart with arrow keys and a table for each currency", async () => {
    await openHome();
    await choose("insights", "Insights");
    await page.getByRole("heading", { name: "Open by age" }).waitFor();
    const chart = page.getByRole("group", { name: "Net by month, SAR" });
    await chart.waitFor();
    const columns = chart.getByRole("img");
    assert.equal(await columns.count(), 12);
    await columns.first().focus();
    await page.keyboard.press("ArrowRight");
    await columns.nth(1).and(page.locator(":focus")).waitFor();
    assert.match(await columns.nth(1).getAttribute("aria-label"), /\d{4}: .*SAR/);
    await page.keyboard.press("End");
    await columns.last().and(page.locator(":focus")).waitFor();
    const table = page.getByRole("table", { name: "Net by month, SAR" });
    assert.equal(await table.getByRole("row").count(), 14);
    const buyers = page.getByRole("table", { name: "Sales by buyer, SAR" });
    const [first] = await buyers.getByRole("rowheader").allInnerTexts();
    assert.match(first.replace(/[\u2066-\u2069]/g, ""), /^1\. \S/);
    assert.equal(await buyers.getByRole("rowheader").last().innerText(), "Total");
    await page.emulateMedia({ media: "print" });
    assert.ok(await page.getByRole("heading", { name: "Taxes" }).isVisible());
    assert.ok(!(await page.getByRole("navigation").isVisible()), "only the report is printed");
    await page.emulateMedia({ media: "screen" });
  });

  await test("the days of a quarter that ended years ago are typed, kept for the organization, and printed by Ctrl+P", async () => {
    const choosePeriod = async (name) => {
      await page.locator("[data-insights] header").getByRole("button").first().press("Enter");
      await page.getByRole("option", { name, exact: true }).press("Enter");
    };
    const parts = page.locator("[data-insights] form").getByRole("spinbutton");
    const type = async (part, text) => {
      await parts.nth(part).focus();
      await page.keyboard.type(text);
    };
    await choosePeriod("From – to");
    await type(0, "01102019");
    await type(3, "31122018");
    await page.getByText("Choose a day that is not before the first one.").waitFor();
    await type(5, "2019");
    await page
      .locator('[aria-labelledby="taxes-title"]')
      .getByText(/1 Oct 2019.*31 Dec 2019/)
      .waitFor();
    await page.evaluate(() => {
      window.print = () => document.body.setAttribute("data-printed", "");
    });
    await page.keyboard.press("Control+p");
    await page.locator("body[data-printed]").waitFor();
    await choose("today", "Today");
    await choose("insights", "Insights");
    await parts.nth(5).waitFor();
    assert.equal((await parts.allTextContents()).join("-"), "01-10-2019-31-12-2019");
    // Its days are those of the last twelve months then, so that there is something to look at below.
    await choosePeriod("Last twelve months");
    await choosePeriod("From – to");
    await page.getByRole("table", { name: "Net by month, SAR" }).waitFor();
  });

  const screens = [
    ["today", (language) => (language === "ar" ? "اليوم" : "Today")],
    ["clients", (language) => (language === "ar" ? "كل العملاء" : "All clients")],
    ["insights", (language) => (language === "ar" ? "التقارير" : "Insights")],
  ];
  const window = { page, invoke, setPreferences };
  for (const [name, headingIn] of screens) {
    const heading = (language) => page.getByRole("heading", { name: headingIn(language), exact: true });
    const show = async ({ language }) => {
      const label = headingIn(language);
      await page.locator("nav").getByRole("button", { name: label, exact: true }).click();
      await heading(language).waitFor();
      await page.waitForFunction(() => !document.querySelector("main .pulse, main [aria-busy=true]"));
    };
    await inEachAppearance(test, window, { name, claim: "is accessible" }, show, async ({ language, theme }) => {
      await assertAccessibleIn(page, name, { language, theme });
      await takeScreenshot(page, `${name}-${language}-${theme}`);
      if (name === "insights") {
        await page.locator("#buyers-title").evaluate((element) => element.scrollIntoView());
        await takeScreenshot(page, `buyers-${language}-${theme}`);
      }
      await heading(language).scrollIntoViewIfNeeded();
    });
  }

  const openWithText = async ({ language }) => {
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox").and(page.locator(":focus")).waitFor();
    await page.keyboard.type(language === "ar" ? "فات" : "inv");
    await page.getByRole("option").first().waitFor();
  };
  const accessible = { name: "palette", claim: "is accessible" };
  await inEachAppearance(test, window, accessible, openWithText, async ({ language, theme }) => {
    await assertAccessibleIn(page, "palette", { language, theme });
    await takeScreenshot(page, `palette-${language}-${theme}`);
  });
}
