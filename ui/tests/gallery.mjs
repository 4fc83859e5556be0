// Browser tests of the component gallery, in both languages and every theme.

import assert from "node:assert/strict";
import { appearances, assertAccessible, assertFits } from "./browser.mjs";
import { openGallery } from "./gallery-server.mjs";
import { assertLooksAsKept } from "./pictures.mjs";

/** Every part up to the errors, which are many and alike. */
const KEPT_HEIGHT = 2_384;

export async function galleryTests(test, browser) {
  const gallery = await openGallery();
  try {
    // One context for all: it keeps the hundreds of modules of the development server, which each new one would load again.
    const { page, errors, close } = await browser.page({ timezoneId: "Asia/Riyadh" });
    await page.clock.setFixedTime("2026-11-22T09:00:00Z");
    await appearanceTests(test, page, errors, gallery);
    await keyboardTests(test, page, gallery);
    await test("gallery: no key left the focus on the body, and nothing else went wrong", () => assert.deepEqual(errors, []));
    await close();
  } finally {
    await gallery.close();
  }
}

/** Leads the open page to another address, as its history does: nothing is loaded again, which takes seconds. */
async function navigateTo(page, address) {
  await page.evaluate((to) => {
    window.history.replaceState(null, "", to);
    window.dispatchEvent(new PopStateEvent("popstate"));
  }, address);
}

/** The page is opened anew for each language. A theme changes under what is shown. */
async function appearanceTests(test, page, errors, gallery) {
  let shown;
  for (const { language, theme } of appearances) {
    await test(`gallery ${language} ${theme}: is accessible, has the direction of the language and looks as kept`, async () => {
      errors.splice(0);
      const address = gallery.address({ language, theme });
      if (shown === language) await navigateTo(page, address);
      else await page.goto(address);
      shown = undefined;
      await page.locator(`html[data-theme=${theme}]`).waitFor();
      await page.getByRole("heading", { name: "Gallery" }).waitFor();
      assert.equal(await page.evaluate(() => document.documentElement.dir), language === "ar" ? "rtl" : "ltr");
      await assertAccessible(page, "gallery");
      await assertFits(page, "the gallery");
      assert.deepEqual(errors, []);
      await assertLooksAsKept(page, `gallery-${language}-${theme}`, KEPT_HEIGHT);
      shown = language;
    });
  }
}

/** On the page that is open. Each date is another one than that of the field, which begins with 14 November 2026. */
async function keyboardTests(test, page, gallery) {
  for (const [language, digits, typed, expected] of [
    ["ar", "latin", "٢٥١٢٢٠٢٧", [12, 25, 2027]],
    ["ar", "arabic", "14112026", [11, 14, 2026]],
    ["en", "latin", "٢٥١٢٢٠٢٧", [12, 25, 2027]],
  ]) {
    await test(`gallery ${language}, ${digits} digits: a date accepts the digits of the other script`, async () => {
      await navigateTo(page, gallery.address({ language, digits }));
      await page.locator(`html[lang=${language}][data-theme=light]`).waitFor();
      const field = page
        .getByRole("group")
        .filter({ has: page.getByRole("spinbutton") })
        .first();
      await field.getByRole("spinbutton").first().focus();
      await page.keyboard.type(typed);
      const parts = await field.getByRole("spinbutton").evaluateAll((all) => all.map((part) => Number(part.ariaValueNow)));
      assert.deepEqual(
        parts.toSorted((a, b) => a - b),
        expected,
      );
      const shown = (await field.getByRole("spinbutton").allTextContents()).join(" ");
      const scripts = { arabic: /[٠-٩]/.test(shown), latin: /[0-9]/.test(shown) };
      assert.deepEqual(scripts, { arabic: digits === "arabic", latin: digits === "latin" }, shown);
    });
  }
  await test("gallery: a million rows can be traversed with fewer than 60 rendered", async () => {
    const rows = page.getByTestId("rows");
    await rows.locator('[data-index="0"]').focus();
    const focused = (index) => page.locator(`[data-index="${index}"]:focus`).waitFor();
    const rendered = () => rows.locator("[role=row]").count();
    await page.keyboard.press("End");
    await focused(999_999);
    const visible = await page.evaluate(() => {
      const row = document.activeElement.getBoundingClientRect();
      const viewport = document.activeElement.closest("[data-testid=rows]").getBoundingClientRect();
      return row.top >= viewport.top - 1 && row.bottom <= viewport.bottom + 1;
    });
    assert.ok(visible, "the last row is completely visible");
    assert.ok((await rendered()) < 60, "few rows are rendered");
    await page.keyboard.press("PageUp");
    await page.waitForFunction(() => Number(document.activeElement.dataset.index) < 999_999);
    await rows.evaluate((element) => element.scrollTo({ top: element.scrollHeight / 2 }));
    await page.waitForFunction(() => {
      const shown = [...document.querySelectorAll("[data-testid=rows] [data-index]")].map((element) =>
        Number(element.dataset.index),
      );
      return shown.some((index) => index > 499_900 && index < 500_100);
    });
    assert.ok((await rendered()) < 60, "few rows are rendered in the middle too");
    await page.keyboard.press("Home");
    await focused(0);
  });
  await test("gallery: the freeze dialog focuses Cancel and restores the focus on Escape", async () => {
    await page.getByRole("button", { name: "Freeze", exact: true }).click();
    const dialog = page.getByRole("alertdialog");
    await dialog.waitFor();
    assert.equal(await page.evaluate(() => document.activeElement?.textContent), "Cancel");
    for (const text of ["Al-Khair Trading", "INV-2026-0417", "SAR\u00a023,000.00"]) {
      await dialog.getByText(text).first().waitFor();
    }
    await assertAccessible(page, "freeze dialog");
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    assert.equal(await page.evaluate(() => document.activeElement?.textContent), "Freeze", "the focus returns to the button");
  });
}
