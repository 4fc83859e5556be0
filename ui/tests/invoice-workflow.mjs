// Browser tests of an invoice with the real core and service: from its first line to frozen, and the list that shows it.

import assert from "node:assert/strict";
import { assertAccessibleInEachAppearance } from "./each-appearance.mjs";
import { waitForFocus } from "./signed-in.mjs";
import { HOME } from "./window-flow.mjs";

export async function invoiceWorkflowTests({ page, test, button, homeIsShown, openHome, inEveryAppearance, invoke }) {
  await test("an invoice can be entered by keyboard, with errors that disappear once corrected", async () => {
    await homeIsShown();
    await page.keyboard.press("Control+n");
    await page.getByRole("heading", { name: "New invoice" }).waitFor();
    await page.keyboard.press("Control+Enter");
    const summary = page.getByRole("group", { name: /Nothing was sent/ });
    await summary.and(page.locator(":focus")).waitFor();
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
    const draft = page.getByRole("button", { name: /Nakheel Medical Supplies.*\b2\W+lines/ }).first();
    // The form writes after the paint, and is left once it has: a page that is read again at that moment ends before it.
    await button("Drafts").click();
    await draft.waitFor();
    await openHome();
    await button("Drafts").click();
    await draft.click();
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
    const summary = page.locator('[aria-labelledby="summary-title"]');
    await summary.and(page.locator(":focus")).waitFor();
    await page.locator('[data-row="0"] [data-cell="unitPrice"]').fill("100");
    await summary.waitFor({ state: "detached" });
    await page.locator('[data-row="0"] [data-cell="unitPrice"]').fill("?");
    await summary.waitFor();
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
    // The rows may be there before the code of the filter bar, which shows the heading.
    await page.locator("h1:not(.visually-hidden)").waitFor();
  });

  await test("the list supports keyboard navigation, selection and opening", async () => {
    await homeIsShown();
    await page.locator('[role=row][tabindex="0"]').focus();
    await page.keyboard.press("End");
    const total = Number(await page.getByRole("grid").getAttribute("aria-rowcount")) - 1;
    await page.waitForFunction((last) => document.activeElement?.getAttribute("aria-rowindex") === String(last), total + 1);
    await page.keyboard.press("Home");
    await page.locator('[data-index="0"]:focus [data-column=gross]').waitFor();
    await page.keyboard.press(" ");
    await page.getByText("1 selected").first().waitFor();
    for (const [key, count] of [
      ["ArrowDown", 2],
      ["ArrowDown", 3],
      ["ArrowUp", 2],
      ["ArrowUp", 1],
    ]) {
      await page.keyboard.press(`Shift+${key}`);
      const selected = page.getByText(new RegExp(`^\\W*${count}\\W* selected`));
      await selected.first().waitFor();
    }
    await page.keyboard.press("Enter");
    await page.getByRole("complementary").getByRole("heading", { level: 2 }).waitFor();
    await page.waitForFunction(() => document.activeElement?.tagName === "ASIDE");
    await page.keyboard.press("Escape");
    await page.waitForFunction(() => document.activeElement?.getAttribute("data-index") === "0");
  });

  await test("a search without result shows an empty list with a button that clears it", async () => {
    await page.keyboard.press("/");
    await page.keyboard.type("nobody of this name");
    const none = "No invoice fits these filters.";
    await page.locator("#root").getByText(none).waitFor();
    await page.locator("[data-live-announcer]").filter({ hasText: none }).waitFor({ state: "attached" });
    await button("Clear filters").click();
    await page.locator('[data-index="0"] [data-column=gross]').waitFor();
  });

  await test("a status filter filters the list and shows a chip", async () => {
    await openHome();
    await button("Filter", { exact: true }).waitFor();
    await page.keyboard.press("Control+f");
    await page.getByRole("menuitem", { name: "Status" }).click();
    await page.getByRole("dialog").getByRole("checkbox").first().waitFor();
    await assertAccessibleInEachAppearance({ page, invoke }, "the form of a filter", { atOneWidth: true });
    await page.getByText("Frozen", { exact: true }).last().click();
    await page.keyboard.press("Escape");
    await button(/Status.*Frozen/)
      .first()
      .waitFor();
    await page.locator('[data-index="0"]').getByText("Frozen").waitFor();
    await button(/Remove the filter/).click();
  });

  await test("a document that cannot be issued says why, and is corrected where it is wrong", async () => {
    await page.keyboard.press("Control+n");
    await page.getByRole("heading", { name: "New invoice" }).waitFor();
    await page.locator("[data-field=currency] button").focus();
    await page.keyboard.press("Enter");
    await page.getByRole("option", { name: /USD/ }).waitFor();
    await page.keyboard.type("USD");
    await page.keyboard.press("Enter");
    await page.getByLabel("Name in English").fill("Gulf Freight");
    await page.locator('[data-row="0"] [data-cell="description.en"]').fill("Customs clearance");
    await page.locator('[data-row="0"] [data-cell="unitPrice"]').fill("100");
    await page.keyboard.press("Control+Enter");
    await page.getByRole("complementary").getByText("Draft").first().waitFor();
    await page.keyboard.press("Control+Shift+I");
    const question = page.getByRole("alertdialog");
    await question.getByRole("button", { name: "Issue" }).click();
    const reason = "State the tax in Saudi riyals";
    await question.getByText(reason).waitFor();
    await question.getByText("It is saved").waitFor();
    assert.equal(await page.getByText("before this can be saved").count(), 0);
    await question.getByRole("button", { name: "Edit" }).press("Enter");
    // The question shows the same reason until the form is there, and keeps the keys to itself.
    await question.waitFor({ state: "detached" });
    const summary = page.getByRole("group", { name: /can be issued/ }).and(page.locator(":focus"));
    await summary.getByText(reason).waitFor();
    await page.keyboard.press("Control+j");
    await page.waitForFunction(
      () => document.activeElement?.closest("[data-field]")?.getAttribute("data-field") === "details.taxCurrency",
    );
  });

  await test("Control+S saves what is in the form, and a saved draft is deleted after a question", async () => {
    await openHome();
    await page.keyboard.press("Control+n");
    await page.getByRole("heading", { name: "New invoice" }).waitFor();
    await page.getByLabel("Name in English").fill("Dune Press");
    await page.locator('[data-row="0"] [data-cell="description.en"]').fill("Printing");
    await page.locator('[data-row="0"] [data-cell="unitPrice"]').fill("100");
    await page.keyboard.press("Control+s");
    const detail = page.getByRole("complementary");
    await detail.getByText("Dune Press").first().waitFor();
    await page.keyboard.press("Control+Shift+Delete");
    const question = page.getByRole("alertdialog");
    await question.getByText("This cannot be undone").waitFor();
    await question.getByRole("button", { name: "Cancel" }).and(page.locator(":focus")).waitFor();
    await assertAccessibleInEachAppearance({ page, invoke }, "the question whether to delete a document");
    await question.getByRole("button", { name: "Delete" }).press("Enter");
    await question.waitFor({ state: "detached" });
    await page.locator("[role=row]").filter({ hasText: "Dune Press" }).waitFor({ state: "detached" });
    assert.equal(await detail.getByText("Dune Press").count(), 0);
    await waitForFocus(page);
  });
}
