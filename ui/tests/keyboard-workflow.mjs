// Browser tests of a clerk's seams by keyboard alone: where the focus is after each step, and keys that no element keeps to itself. What a
// direction of writing could change is done in both languages.

import assert from "node:assert/strict";
import { takeScreenshot } from "./browser.mjs";
import { assertAccessibleInEachAppearance } from "./each-appearance.mjs";
import { waitForFocus } from "./signed-in.mjs";

/** Keys from Ctrl+N to the saved invoice of one line, without the letters that are typed. */
const KEY_BUDGET = 8;

/** More stops of Tab than any form has. */
const MOST_STOPS = 100;

const TEXTS = {
  en: { buyer: "Dune Catering", letters: "dune", item: "Lunch", city: "Riyadh" },
  ar: { buyer: "تموين الكثبان", letters: "تموين", item: "غداء", city: "الرياض" },
};

export async function keyboardTests(window) {
  for (const language of ["en", "ar"]) await inLanguage(language, window);
  // The next test opens the window anew.
  await window.invoke("save_preferences", { preferences: { language: "en", theme: "light", digits: "latin" } });
  await inEnglish(window);
}

/** Waits until the focus is in a part of the page. */
const focusIsIn = (page, selector) => page.locator(`${selector} :focus, ${selector}:focus`).waitFor();

/** Presses Tab or Shift+Tab until an element has the focus. */
async function tabTo(page, selector, key = "Tab") {
  const hasFocus = () => page.evaluate((wanted) => document.activeElement?.matches(wanted) === true, selector);
  for (let stops = 0; !(await hasFocus()); stops += 1) {
    assert.ok(stops < MOST_STOPS, `${key} leads to ${selector}`);
    await page.keyboard.press(key);
  }
}

async function inLanguage(language, { page, test, homeIsShown, openHome, setPreferences }) {
  const texts = TEXTS[language];
  const detail = page.getByRole("complementary");
  const beginInvoice = async () => {
    await page.keyboard.press("Control+n");
    await focusIsIn(page, `[data-field="buyer.name.${language}"]`);
  };
  let pressed = 0;
  const press = async (key) => {
    pressed += 1;
    await page.keyboard.press(key);
  };

  await test(`${language}: an invoice of one line is saved with few keys, and the focus is never lost`, async () => {
    if (language !== "en") await setPreferences({ language });
    await homeIsShown();
    pressed = 0;
    await press("Control+n");
    await focusIsIn(page, `[data-field="buyer.name.${language}"]`);
    await page.keyboard.type(texts.buyer);
    await press("F6");
    await focusIsIn(page, `[data-field="lines[0].description.${language}"]`);
    await page.keyboard.type(texts.item);
    await press("Tab");
    await page.keyboard.type("20");
    await press("Tab");
    await press("Tab");
    await page.keyboard.type("35");
    await press("Tab");
    // The focus is on the tax category, which must not keep the shortcut to itself.
    await press("Control+Enter");
    await detail.getByText(texts.buyer).first().waitFor();
    await focusIsIn(page, "aside[data-detail]");
    assert.ok(pressed <= KEY_BUDGET, `${pressed} keys`);
  });

  await test(`${language}: going back from the editor leaves the focus in the list`, async () => {
    await beginInvoice();
    await tabTo(page, "main header > button", "Shift+Tab");
    await page.keyboard.press("Enter");
    await page.getByRole("grid").first().waitFor();
    await waitForFocus(page);
  });

  await test(`${language}: Ctrl+Enter works in a date and does not open the calendar`, async () => {
    const summary = page.locator('[aria-labelledby="summary-title"]:focus');
    await beginInvoice();
    await tabTo(page, '[data-field="dueDate"] [role=spinbutton]', "Shift+Tab");
    await page.keyboard.press("Control+Enter");
    await summary.waitFor();
    await tabTo(page, '[data-field="dueDate"] button');
    await page.keyboard.press("Control+Enter");
    await summary.waitFor();
    assert.equal(await page.getByRole("dialog").count(), 0);
  });

  await test(`${language}: undo takes back what was typed in any field`, async () => {
    await tabTo(page, '[data-field="buyer.city"] input');
    await page.keyboard.type(texts.city);
    await page.keyboard.press("Control+z");
    await page.waitForFunction(() => document.querySelector('[data-field="buyer.city"] input').value === "");
  });

  await test(`${language}: Enter in the search opens the first hit, and the arrow goes to the list`, async () => {
    await openHome();
    await page.keyboard.press("/");
    await page.keyboard.type(texts.letters);
    await page.keyboard.press("Enter");
    await detail.getByText(texts.buyer).first().waitFor();
    await page.keyboard.press("/");
    await page.keyboard.press("ArrowDown");
    await focusIsIn(page, '[role="row"][data-index="0"]');
  });
}

async function inEnglish({ page, test, openHome, invoke }) {
  const detail = page.getByRole("complementary");
  const row = (index) => page.locator(`[role=grid] [data-index="${index}"]`);

  await test("keys act on the row that has the focus, also when a screen reader has moved it there", async () => {
    /** As a screen reader does, without a key. */
    const moveFocusTo = (index) => row(index).focus();
    await openHome();
    await moveFocusTo(3);
    await page.keyboard.press("Space");
    await row(3).and(page.locator("[aria-selected=true]")).waitFor();
    assert.equal(await page.locator("[role=grid] [aria-selected=true]").count(), 1);
    await page.keyboard.press("Space");
    await row(3).and(page.locator("[aria-selected=false]")).waitFor();
    const buyer = await row(3).locator("[data-column=buyer]").innerText();
    await page.keyboard.press("Enter");
    await row(3).and(page.locator("[data-opened=true]")).waitFor();
    await detail.getByText(buyer).first().waitFor();
    await openHome();
    await moveFocusTo(4);
    await page.keyboard.press("ArrowDown");
    await row(5).and(page.locator(":focus")).waitFor();
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("Tab");
    await row(5).and(page.locator(":focus")).waitFor();
  });

  await test("Escape closes the open document first, and then takes the selection back", async () => {
    await openHome();
    // The list takes the focus some frames after its rows are there.
    await row(0).and(page.locator(":focus")).waitFor();
    for (const index of [1, 2]) {
      await page.keyboard.press("ArrowDown");
      await row(index).and(page.locator(":focus")).waitFor();
    }
    await page.keyboard.press("Space");
    await page.keyboard.press("Enter");
    await focusIsIn(page, "aside[data-detail]");
    await page.keyboard.press("Escape");
    await row(2).and(page.locator("[data-opened=false]")).waitFor();
    await row(2).and(page.locator("[aria-selected=true]")).waitFor();
    await row(2).and(page.locator(":focus")).waitFor();
    await page.keyboard.press("Escape");
    await row(2).and(page.locator("[aria-selected=false]")).waitFor();
  });

  await test("pasted cells are shown with their fields, inserted on Enter, and taken back by one undo", async () => {
    await page.keyboard.press("Control+n");
    await focusIsIn(page, '[data-field="buyer.name.en"]');
    await page.keyboard.press("F6");
    await focusIsIn(page, '[data-field="lines[0].description.en"]');
    await page.evaluate(() => {
      const data = new DataTransfer();
      data.setData(
        "text/plain",
        "Code\tItem\tQty\tUnit\tPrice\nA-1\tNitrile gloves\t12\tbox\t45.00\nA-2\tقفازات\t٣\tpiece\t1.50\n",
      );
      document.activeElement.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
    });
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Nitrile gloves").waitFor();
    await assertAccessibleInEachAppearance({ page, invoke }, "paste preview");
    await takeScreenshot(page, "paste-en-light");
    await page.keyboard.press("Enter");
    await dialog.waitFor({ state: "detached" });
    const value = (line, name) => page.locator(`[data-row="${line}"] [data-cell="${name}"]`).inputValue();
    assert.deepEqual(
      [await value(0, "description.en"), await value(0, "quantity"), await value(0, "unitPrice")],
      ["Nitrile gloves", "12", "45.00"],
    );
    assert.deepEqual([await value(1, "description.ar"), await value(1, "unitPrice")], ["قفازات", "1.50"]);
    await focusIsIn(page, '[data-field="lines[0].description.en"]');
    await page.keyboard.press("Control+z");
    await page.waitForFunction(() => document.querySelectorAll("[data-row]").length === 1);
    await page.keyboard.press("Control+y");
    await page.waitForFunction(() => document.querySelectorAll("[data-row]").length === 2);
  });

  await test("the organization switcher closes on Escape, and letters typed in its list go on in its search", async () => {
    await openHome();
    await page.keyboard.press("Control+o");
    const field = page.getByRole("dialog").getByRole("searchbox");
    await field.waitFor();
    await page.keyboard.press("ArrowDown");
    await page.getByRole("option").first().and(page.locator(":focus")).waitFor();
    await page.keyboard.type("gulf");
    assert.equal(await field.inputValue(), "gulf");
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
  });

  await test("the focus stays in a list that has no rows any more, and in one that has them again", async () => {
    await openHome();
    await page.locator("[role=row][data-index='1']").waitFor();
    const answer = new AbortController();
    const held = new Promise((resolve) => answer.signal.addEventListener("abort", resolve));
    const lists = "**/commands/list_invoices";
    await page.route(lists, async (route) => {
      await held;
      await route.continue();
    });
    await page.keyboard.press("/");
    await page.keyboard.type("nobody of this name");
    // Before the search is answered.
    await page.keyboard.press("ArrowDown");
    await focusIsIn(page, '[role="row"][data-index="0"]');
    answer.abort();
    const none = page.locator(":focus").filter({ has: page.getByRole("status") });
    await none.waitFor();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await focusIsIn(page, '[role="row"][data-index="0"]');
  });

  await test("a column is hidden, shown and moved by keyboard, and the focus stays on what was used", async () => {
    await openHome();
    // The bar of the views, which has the key, is loaded after the list.
    await page.getByRole("button", { name: "Columns", exact: true }).waitFor();
    await page.keyboard.press("Control+l");
    const dialog = page.getByRole("dialog");
    const focused = (name) => page.locator(`[data-column=dueDate] ${name}`).and(page.locator(":focus"));
    const due = dialog.locator("[data-column=dueDate] input[type=checkbox]");
    await due.waitFor();
    await tabTo(page, "[role=dialog] [data-column=dueDate] input[type=checkbox]");
    for (const state of [":not(:checked)", ":checked"]) {
      await page.keyboard.press("Space");
      await focused(`input${state}`).waitFor();
    }
    const places = await dialog.locator("[data-column]:has(button)").count();
    await tabTo(page, "[role=dialog] [data-column=dueDate] button");
    for (let place = places; place > 1; place -= 1) {
      await dialog.locator(`li:nth-child(${place})[data-column=dueDate]`).waitFor();
      await focused("button:first-of-type").waitFor();
      await page.keyboard.press("Enter");
    }
    await dialog.locator("li:first-child[data-column=dueDate]").waitFor();
    await focused("button:last-of-type").waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await page.keyboard.press("Control+l");
    await dialog.getByRole("button").filter({ hasText: "The usual columns" }).waitFor();
    await dialog.getByRole("button").filter({ hasText: "The usual columns" }).press("Enter");
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
  });
}
