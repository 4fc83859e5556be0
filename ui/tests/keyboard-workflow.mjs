// Browser tests of a clerk's seams by keyboard alone: where the focus is after each step, and keys that no element keeps to itself.

import assert from "node:assert/strict";
import { takeScreenshot } from "./browser.mjs";
import { assertAccessibleInEachAppearance } from "./each-appearance.mjs";
import { waitForFocus } from "./signed-in.mjs";

/** Keys from Ctrl+N to the saved invoice of one line, without the letters that are typed. */
const KEY_BUDGET = 8;

export async function keyboardTests({ page, test, homeIsShown, openHome, invoke, button }) {
  let pressed = 0;
  const press = async (key) => {
    pressed += 1;
    await page.keyboard.press(key);
  };
  const focusIsIn = (selector) => page.locator(`${selector} :focus, ${selector}:focus`).waitFor();
  const detail = page.getByRole("complementary");

  await test("an invoice of one line is saved with few keys, and the focus is never lost", async () => {
    await homeIsShown();
    pressed = 0;
    await press("Control+n");
    await focusIsIn('[data-field="buyer.name.en"]');
    await page.keyboard.type("Dune Catering");
    await press("F6");
    await focusIsIn('[data-field="lines[0].description.en"]');
    await page.keyboard.type("Lunch");
    await press("Tab");
    await page.keyboard.type("20");
    await press("Tab");
    await press("Tab");
    await page.keyboard.type("35");
    await press("Tab");
    // The focus is on the tax category, which must not keep the shortcut to itself.
    await press("Control+Enter");
    await detail.getByText("Dune Catering").first().waitFor();
    await focusIsIn("aside[data-detail]");
    assert.ok(pressed <= KEY_BUDGET, `${pressed} keys`);
  });

  await test("going back from the editor leaves the focus in the list", async () => {
    await page.keyboard.press("Control+n");
    await focusIsIn('[data-field="buyer.name.en"]');
    await button("Back").first().press("Enter");
    await page.getByRole("grid").first().waitFor();
    await waitForFocus(page);
  });

  await test("keys act on the row that has the focus, also when a screen reader has moved it there", async () => {
    await openHome();
    const row = (index) => page.locator(`[role=grid] [data-index="${index}"]`);
    await row(3).focus();
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
    await row(4).focus();
    await page.keyboard.press("ArrowDown");
    await row(5).and(page.locator(":focus")).waitFor();
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("Tab");
    await row(5).and(page.locator(":focus")).waitFor();
  });

  await test("Escape closes the open document first, and then takes the selection back", async () => {
    await openHome();
    const row = (index) => page.locator(`[role=grid] [data-index="${index}"]`);
    await row(2).focus();
    await page.keyboard.press("Space");
    await page.keyboard.press("Enter");
    await focusIsIn("aside[data-detail]");
    await page.keyboard.press("Escape");
    await row(2).and(page.locator("[data-opened=false]")).waitFor();
    await row(2).and(page.locator("[aria-selected=true]")).waitFor();
    await row(2).focus();
    await page.keyboard.press("Escape");
    await row(2).and(page.locator("[aria-selected=false]")).waitFor();
  });

  await test("Ctrl+Enter works in a date and does not open the calendar", async () => {
    await page.keyboard.press("Control+n");
    await focusIsIn('[data-field="buyer.name.en"]');
    await page.locator('[data-field="dueDate"]').getByRole("spinbutton").first().focus();
    await page.keyboard.press("Control+Enter");
    await page.getByRole("group", { name: /Nothing was sent/ }).waitFor();
    await page.locator('[data-field="dueDate"]').getByRole("button").focus();
    await page.keyboard.press("Control+Enter");
    await page.locator('[aria-labelledby="summary-title"]:focus').waitFor();
    assert.equal(await page.getByRole("dialog").count(), 0);
  });

  await test("pasted cells are shown with their fields, inserted on Enter, and taken back by one undo", async () => {
    const cell = page.locator('[data-row="0"] [data-cell="description.en"]');
    await cell.focus();
    await cell.evaluate((element) => {
      const data = new DataTransfer();
      data.setData(
        "text/plain",
        "Code\tItem\tQty\tUnit\tPrice\nA-1\tNitrile gloves\t12\tbox\t45.00\nA-2\tقفازات\t٣\tpiece\t1.50\n",
      );
      element.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
    });
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Nitrile gloves").waitFor();
    await assertAccessibleInEachAppearance({ page, invoke }, "paste preview");
    await takeScreenshot(page, "paste-en-light");
    await page.keyboard.press("Enter");
    await dialog.waitFor({ state: "detached" });
    const value = (row, name) => page.locator(`[data-row="${row}"] [data-cell="${name}"]`).inputValue();
    assert.deepEqual(
      [await value(0, "description.en"), await value(0, "quantity"), await value(0, "unitPrice")],
      ["Nitrile gloves", "12", "45.00"],
    );
    assert.deepEqual([await value(1, "description.ar"), await value(1, "unitPrice")], ["قفازات", "1.50"]);
    await focusIsIn('[data-field="lines[0].description.en"]');
    await page.keyboard.press("Control+z");
    await page.waitForFunction(() => document.querySelectorAll("[data-row]").length === 1);
    await page.keyboard.press("Control+y");
    await page.waitForFunction(() => document.querySelectorAll("[data-row]").length === 2);
  });

  await test("undo takes back what was typed in any field", async () => {
    const field = page.locator('[data-field="buyer.city"] input');
    await field.focus();
    await page.keyboard.type("Riyadh");
    await page.keyboard.press("Control+z");
    await page.waitForFunction(() => document.querySelector('[data-field="buyer.city"] input').value === "");
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

  await test("Enter in the search opens the first hit, and the arrow goes to the list", async () => {
    await openHome();
    await page.keyboard.press("/");
    await page.keyboard.type("dune");
    await page.keyboard.press("Enter");
    await detail.getByText("Dune Catering").first().waitFor();
    await page.keyboard.press("/");
    await page.keyboard.press("ArrowDown");
    await focusIsIn('[role="row"][data-index="0"]');
    await page.keyboard.press("/");
    await page.keyboard.press("Control+a");
    await page.keyboard.press("Delete");
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
    await focusIsIn('[role="row"][data-index="0"]');
    answer.abort();
    const none = page.locator(":focus").filter({ has: page.getByRole("status") });
    await none.waitFor();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await focusIsIn('[role="row"][data-index="0"]');
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
    await due.focus();
    for (const state of [":not(:checked)", ":checked"]) {
      await page.keyboard.press("Space");
      await focused(`input${state}`).waitFor();
    }
    const places = await dialog.locator("[data-column]:has(button)").count();
    const earlier = dialog.locator("[data-column=dueDate] button").first();
    await earlier.focus();
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
