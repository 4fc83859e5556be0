// Every component and every error, in both languages and both themes.

import assert from "node:assert/strict";
import { assertNoBarriers, looks } from "./browser.mjs";
import { openGallery } from "./gallery-server.mjs";

export async function galleryTests(test, browser) {
  const gallery = await openGallery();
  try {
    for (const { language, theme } of looks) {
      await test(`gallery ${language} ${theme}: no barriers, no physical directions, nothing wider than its place`, async () => {
        const { page, troubles, close } = await browser.page();
        await page.goto(gallery.address({ language, theme }));
        await page.locator(`html[data-theme=${theme}]`).waitFor();
        await page.getByRole("heading", { name: "Gallery" }).waitFor();
        assert.equal(await page.evaluate(() => document.documentElement.dir), language === "ar" ? "rtl" : "ltr");
        await assertNoBarriers(page, "gallery");
        const wide = await page.evaluate(
          () => document.querySelector("main").scrollWidth > document.querySelector("main").clientWidth,
        );
        assert.equal(wide, false, "the gallery needs no sideways scrolling");
        assert.deepEqual(troubles, []);
        await close();
      });
    }
    await test("gallery: a million rows are walked from end to end with a handful of them drawn", async () => {
      const { page, close } = await browser.page();
      await page.goto(gallery.address());
      const rows = page.getByTestId("rows");
      await rows.locator('[data-index="0"]').focus();
      const focused = (index) => page.locator(`[data-index="${index}"]:focus`).waitFor();
      const drawn = () => rows.locator("[role=row]").count();
      await page.keyboard.press("End");
      await focused(999_999);
      const inSight = await page.evaluate(() => {
        const place = document.activeElement.getBoundingClientRect();
        const around = document.activeElement.closest("[data-testid=rows]").getBoundingClientRect();
        return place.top >= around.top - 1 && place.bottom <= around.bottom + 1;
      });
      assert.ok(inSight, "the last row is whole in sight");
      assert.ok((await drawn()) < 60, "few rows are drawn");
      await page.keyboard.press("PageUp");
      await page.waitForFunction(() => Number(document.activeElement.dataset.index) < 999_999);
      await rows.evaluate((element) => element.scrollTo({ top: element.scrollHeight / 2 }));
      await page.waitForFunction(() => {
        const shown = [...document.querySelectorAll("[data-testid=rows] [data-index]")].map((element) =>
          Number(element.dataset.index),
        );
        return shown.some((index) => index > 499_900 && index < 500_100);
      });
      assert.ok((await drawn()) < 60, "few rows are drawn in the middle too");
      await page.keyboard.press("Home");
      await focused(0);
      await close();
    });
    await test("gallery: a dialog that asks about freezing puts the focus on giving it up", async () => {
      const { page, close } = await browser.page();
      await page.goto(gallery.address());
      await page.getByRole("button", { name: "Freeze", exact: true }).click();
      const dialog = page.getByRole("alertdialog");
      await dialog.waitFor();
      assert.equal(await page.evaluate(() => document.activeElement?.textContent), "Cancel");
      for (const words of ["Al-Khair Trading", "INV-2026-0417", "SAR\u00a023,000.00"]) {
        await dialog.getByText(words).first().waitFor();
      }
      await assertNoBarriers(page, "freeze dialog");
      await page.keyboard.press("Escape");
      await dialog.waitFor({ state: "detached" });
      assert.equal(await page.evaluate(() => document.activeElement?.textContent), "Freeze", "the focus goes back to the button");
      await close();
    });
  } finally {
    await gallery.close();
  }
}
