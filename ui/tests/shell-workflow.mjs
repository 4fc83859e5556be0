// Browser tests of what is around the screens: menus and dialogs of the window, and windows of every width.

import assert from "node:assert/strict";
import { join } from "node:path";
import { assertAccessible } from "./browser.mjs";
import { assertNoHorizontalScroll } from "./window-flow.mjs";

export async function shellTests({ page, test, button, openHome, setPreferences, inEveryAppearance, screenshots }) {
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
    await button(/^(Check now|فحص الآن)$/).click();
    await page.getByText(/^(Every step worked\.|نجحت كل الخطوات\.)$/).waitFor();
    await button(/^(Make the report|إعداد التقرير)$/).click();
    await page.getByRole("textbox", { name: /^(Report|التقرير)$/ }).waitFor();
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
}

/** Asserts that an element is inside the window from its start to its end. */
async function assertInside(page, element) {
  const box = await (typeof element === "string" ? page.locator(element).last() : element).boundingBox();
  const { width } = page.viewportSize();
  assert.ok(box && box.x >= 0 && box.x + box.width <= width + 0.5, `${element} is inside ${width} px: ${JSON.stringify(box)}`);
}
