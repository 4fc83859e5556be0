// Browser tests of debit notes with the real core and service, by keyboard: one is made from an issued invoice, both lead to each other, and
// a credit note corrects it.

import assert from "node:assert/strict";
import { documentsOf, line, searchList } from "./documents.mjs";
import { assertAccessibleInThemes, fewLanguages } from "./each-appearance.mjs";
import { signedInPage } from "./signed-in.mjs";
import { inSequence } from "./window-flow.mjs";

const BUTTON = /^(Debit note|إشعار مدين)$/;

export async function debitTests(run, browser, { host }) {
  const test = inSequence(run);
  const { page, errors, close, invoke } = await signedInPage(browser, host, "noura@alkhair.example");
  const { create, issue } = documentsOf(invoke);
  const detail = page.getByRole("complementary");
  const reason = page.locator('[data-field="correction.reason"] :focus');
  const focused = (selector) => page.locator(`${selector}:focus, ${selector} :focus`).waitFor();
  const { row } = await issue(await create("Delta Stores", [line("Shelves", "10", "100")]));
  const open = async (text) => {
    await page.reload();
    await searchList(page, text, 1);
    await page.keyboard.press("Enter");
    await detail.getByText(text).first().waitFor();
    await focused("aside[data-detail]");
  };
  /** Begins a debit note of the invoice that is open. */
  const begin = async () => {
    await detail.getByRole("button", { name: BUTTON }).press("Enter");
    await page.locator("#editor-title").waitFor();
    await reason.waitFor();
  };

  await test("a debit note is begun from its invoice, with its buyer and without its lines", async () => {
    await open(row.number);
    await begin();
    await page.getByRole("heading", { name: "New debit note" }).waitFor();
    assert.equal(await page.getByLabel("Name in English").inputValue(), "Delta Stores");
    assert.equal(await page.locator("[data-row]").count(), 1);
    assert.equal(await page.locator('[data-row="0"] [data-cell="description.en"]').inputValue(), "");
    await page.getByText(row.number).first().waitFor();
  });

  await test("without a reason it is not saved, and the field says so", async () => {
    await page.locator('[data-row="0"] [data-cell="description.en"]').fill("Delivery");
    await page.locator('[data-row="0"] [data-cell="unitPrice"]').fill("50");
    await page.keyboard.press("Control+Enter");
    await page.locator('[aria-labelledby="summary-title"]:focus').waitFor();
    await page.keyboard.press("Control+j");
    await reason.waitFor();
  });

  await test("an issued debit note and its invoice lead to each other", async () => {
    await page.keyboard.insertText("Delivery was not charged");
    await page.keyboard.press("Control+Shift+Enter");
    await page.getByRole("alertdialog").getByText("57.50").first().waitFor();
    await page.keyboard.press("Enter");
    await detail
      .getByText(/Issued.*\d:\d/)
      .first()
      .waitFor();
    const original = detail.getByRole("list", { name: "Corrects" }).getByRole("button");
    await original.getByText(row.number).waitFor();
    await detail.getByText("Delivery was not charged").waitFor();
    assert.equal(await detail.getByRole("button", { name: BUTTON }).count(), 0, "a note is corrected by none");
    await original.press("Enter");
    const note = detail.getByRole("list", { name: "Debit notes" }).getByRole("button");
    await note.getByText("SAR\u00a057.50").waitFor();
    await focused("aside[data-detail]");
    await note.press("Enter");
    await detail.getByRole("list", { name: "Corrects" }).waitFor();
    await focused("aside[data-detail]");
  });

  await test("a debit note is credited as an invoice is, and its invoice is not credited by that", async () => {
    await page.keyboard.press("Control+Shift+K");
    await page.getByRole("dialog").getByText("SAR\u00a057.50").nth(1).waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "New credit note" }).waitFor();
    await reason.waitFor();
    await page.keyboard.type("Not delivered");
    await page.keyboard.press("Control+Shift+Enter");
    await page.getByRole("alertdialog").getByText("57.50").first().waitFor();
    await page.keyboard.press("Enter");
    const corrected = detail.getByRole("list", { name: "Corrects" }).getByRole("button", { name: /Debit note/ });
    await corrected.press("Enter");
    const note = detail.getByRole("list", { name: "Credit notes" }).getByRole("button");
    await note.getByText("SAR\u00a0\u221257.50").waitFor();
  });

  await test("the command palette begins one as well, and an invoice can have several", async () => {
    await open(row.number);
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox").and(page.locator(":focus")).waitFor();
    await page.keyboard.type("debit note");
    await page.getByRole("option", { name: BUTTON }).first().waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "New debit note" }).waitFor();
    await reason.waitFor();
    await page.keyboard.type("Installation");
    await page.locator('[data-row="0"] [data-cell="description.en"]').fill("Installation");
    await page.locator('[data-row="0"] [data-cell="unitPrice"]').fill("20");
    await page.keyboard.press("Control+Shift+Enter");
    await page.getByRole("alertdialog").getByText("23.00").first().waitFor();
    await page.keyboard.press("Enter");
    await detail.getByRole("list", { name: "Corrects" }).getByRole("button").press("Enter");
    await detail.getByRole("list", { name: "Debit notes" }).getByRole("button").nth(1).waitFor();
    await detail.getByText("Nothing of it has been credited.").waitFor();
  });

  for (const appearance of fewLanguages) {
    await test(`debit notes ${appearance.language} ${appearance.theme}: their form and their invoice are accessible and do not overflow`, async () => {
      // The window is opened anew with its document.
      await invoke("save_preferences", { preferences: { digits: "latin", ...appearance } });
      await open(row.number);
      await detail.locator("[data-related]").nth(1).waitFor();
      await assertAccessibleInThemes({ page, invoke }, "an invoice with debit notes", appearance);
      await begin();
      await assertAccessibleInThemes({ page, invoke }, "the form of a debit note", appearance);
    });
  }
  await test("debit notes reported no errors", () => assert.deepEqual(errors, []));
  await close();
}
