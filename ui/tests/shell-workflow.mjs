// Browser tests of what is around the screens: menus and dialogs of the window, and windows of every width.

import assert from "node:assert/strict";
import {
  assertAccessible,
  assertFocusedFieldIsVisible,
  fewAppearances,
  setSize,
  takeScreenshot,
  until,
  ZOOMED_SIZE,
} from "./browser.mjs";
import { assertAccessibleInEachAppearance } from "./each-appearance.mjs";
import { assertNoHorizontalScroll, HOME } from "./window-flow.mjs";

export async function shellTests({ page, invoke, test, button, openHome, setPreferences, inEveryAppearance }) {
  const dialog = page.getByRole("dialog");
  await inEveryAppearance("switcher", async () => {
    await page.locator("header button").first().waitFor();
    await page.keyboard.press("Control+o");
    await page.getByRole("listbox").waitFor();
  });
  await test("an organization has a name of one's own on this computer, until it is removed", async () => {
    await page.locator("header button").first().waitFor();
    await page.keyboard.press("Control+o");
    await dialog.getByRole("button", { name: /^Rename / }).press("Enter");
    const name = dialog.getByRole("textbox", { name: "Your name for it" });
    await name.and(page.locator(":focus")).waitFor();
    const few = { of: fewAppearances, atOneWidth: true };
    await assertAccessibleInEachAppearance({ page, invoke }, "the name of an organization", few);
    await name.fill("Head office");
    await page.keyboard.press("Enter");
    await dialog.getByRole("option", { name: /Head office/ }).waitFor();
    await dialog.getByRole("button", { name: /^Rename .*Head office/ }).press("Enter");
    await dialog.getByRole("button", { name: "Remove the name" }).press("Enter");
    await dialog.getByRole("option", { name: new RegExp(HOME) }).waitFor();
    await dialog.getByRole("searchbox").and(page.locator(":focus")).waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
  });
  await inEveryAppearance("shortcuts", async () => {
    await page.locator("header button").first().waitFor();
    await page.keyboard.press("Control+/");
    await assertOverlayStays(page);
  });
  const accountButton = () => page.locator("header").getByRole("button", { name: /^(Account|الحساب|حساب)/ });
  const openAccountMenu = async () => {
    await accountButton().click();
    await page.getByRole("menu").waitFor();
  };
  await inEveryAppearance("account", openAccountMenu, { atOneWidth: true });
  const openFromAccountMenu = async (name) => {
    await accountButton().click();
    await page.getByRole("menuitem", { name }).click();
    await assertOverlayStays(page);
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
      await takeScreenshot(page, `narrow-${width}`);
      await page.keyboard.press("Escape");
      await assertInside(page, '[data-index="0"] [data-column=gross]');
      await assertInside(page, "header button:last-of-type");
      await page.keyboard.press("Control+n");
      await page.locator("#editor-title").waitFor();
      await assertNoHorizontalScroll(page);
      for (const action of await page.locator("main header button").all()) await assertInside(page, action);
      await takeScreenshot(page, `narrow-editor-${width}`);
      await button("Back").first().click();
      await page.setViewportSize({ width: 1280, height: 800 });
    });
  }

  await test("at 400 % the form scrolls with its header and its totals, and the field with the focus is visible", async () => {
    await setSize(page, ZOOMED_SIZE);
    await openHome();
    await page.keyboard.press("Control+n");
    await page.locator('[data-field="buyer.name.en"] :focus').waitFor();
    await assertFocusedFieldIsVisible(page, "the buyer at 400 %");
    // Its shortcuts are there with the window: at once, and not after it has loaded more.
    await page.keyboard.press("F6");
    await page.locator('[data-field^="lines[0]"]:focus, [data-field^="lines[0]"] :focus').waitFor();
    await assertFocusedFieldIsVisible(page, "a line at 400 %");
    await page.locator("[data-totals]").scrollIntoViewIfNeeded();
    const { y, height } = await page.locator("[data-totals]").boundingBox();
    assert.ok(y >= 0 && y + height <= ZOOMED_SIZE.height, `the totals from ${y} to ${y + height}`);
    await assertNoHorizontalScroll(page);
    await assertAccessible(page, "the form at 400 %");
    const beyond = await page.evaluate(() => document.documentElement.scrollHeight - window.innerHeight);
    assert.equal(beyond, 0, "the window itself does not scroll");
    await takeScreenshot(page, "editor-400-percent");
    await button("Back").first().click();
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  await test("at 400 % everything of the list and of a document is reached by scrolling down, and a row with the focus is visible", async () => {
    await setSize(page, ZOOMED_SIZE);
    await openHome();
    await page.locator('[data-index="0"]').focus();
    for (let row = 0; row < 6; row += 1) await page.keyboard.press("ArrowDown");
    await page.locator('[data-index="6"]:focus').waitFor();
    await assertVisible(page.locator('[data-index="6"] [data-column=gross]'), "the row with the focus");
    await page.keyboard.press("Enter");
    const detail = page.locator("aside[data-detail]");
    for (const part of [detail.locator("dl").first(), detail.locator("[data-history]"), detail.locator("footer button").last()]) {
      await part.scrollIntoViewIfNeeded();
      await assertVisible(part, "a part of the document");
    }
    await assertNoHorizontalScroll(page);
    await page.keyboard.press("Escape");
    for (const part of [
      page.locator("main h1"),
      page
        .locator("main")
        .getByText(/^All \S/)
        .last(),
    ]) {
      await part.scrollIntoViewIfNeeded();
      await assertVisible(part, "a part of the list");
    }
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  await test("language and digits change at once and are stored", async () => {
    const stored = page.waitForResponse((answer) => answer.url().endsWith("/save_preferences"));
    await page.keyboard.press("Control+Shift+L");
    await page.locator("html[lang=ar][dir=rtl]").waitFor();
    await stored;
    await page.reload();
    await page.locator("html[lang=ar][dir=rtl] nav").waitFor();
    await accountButton().click();
    await page.getByRole("menuitemradio").locator("bdi[dir=ltr]", { hasText: "0 1 2 3" }).waitFor();
    await page.getByRole("menuitemradio", { name: "٠ ١ ٢ ٣" }).click();
    await page.locator("footer").getByText(/[٠-٩]/).first().waitFor();
    await setPreferences({});
  });

  await test("an account is kept by default, and removed from this computer after a question", async () => {
    const question = page.getByRole("alertdialog");
    const remove = dialog.getByRole("button", { name: /^Remove .*Noura/ });
    await openFromAccountMenu(/^Accounts/);
    await remove.press("Enter");
    await question.getByRole("button", { name: "Keep it" }).and(page.locator(":focus")).waitFor();
    const few = { of: fewAppearances, atOneWidth: true };
    await assertAccessibleInEachAppearance({ page, invoke }, "the question before an account is removed", few);
    await page.keyboard.press("Enter");
    await question.waitFor({ state: "detached" });
    assert.equal((await invoke("accounts")).length, 1);
    await remove.and(page.locator(":focus")).press("Enter");
    await question.getByRole("button", { name: /remove the account$/i }).press("Enter");
    await page.locator("[role=radiogroup]").waitFor();
    assert.deepEqual(await invoke("accounts"), []);
  });
}

/** Asserts that what is behind an open dialog does not scroll: its scroll bar would be over the window. */
async function assertOverlayStays(page) {
  const dialog = page.getByRole("dialog");
  await dialog.waitFor();
  const scrolled = await dialog.evaluate((element) => {
    let overlay = element;
    while (getComputedStyle(overlay).position !== "fixed") overlay = overlay.parentElement;
    return overlay.scrollHeight - overlay.clientHeight;
  });
  assert.equal(scrolled, 0, "the overlay does not scroll");
}

/** Waits until the middle of an element is what the window shows there: rows are placed in a frame after the focus has moved. */
async function assertVisible(element, what) {
  const isShown = () =>
    element.evaluate((part) => {
      const { left, top, width, height } = part.getBoundingClientRect();
      return part.contains(document.elementFromPoint(left + width / 2, top + height / 2));
    });
  await until(isShown).catch((error) => assert.fail(`${what} is not visible: ${error.message}`));
}

/** Asserts that an element is inside the window from its start to its end. */
async function assertInside(page, element) {
  const box = await (typeof element === "string" ? page.locator(element).last() : element).boundingBox();
  const { width } = page.viewportSize();
  assert.ok(box && box.x >= 0 && box.x + box.width <= width + 0.5, `${element} is inside ${width} px: ${JSON.stringify(box)}`);
}
