// Browser tests of the editor's rarely used fields with the real core: groups, exemption reasons, prices with tax, explanations, codes.

import assert from "node:assert/strict";
import { assertAccessible, takeScreenshot, until } from "./browser.mjs";
import { assertAccessibleInEachAppearance, inEachAppearance } from "./each-appearance.mjs";
import { signedInPage } from "./signed-in.mjs";
import { assertNoHorizontalScroll } from "./window-flow.mjs";

const GROUPS = 8;

export async function detailsTests(test, browser, { host }) {
  const { page, errors, close, invoke, setPreferences } = await signedInPage(browser, host, "noura@alkhair.example");
  const field = (path) => page.locator(`[data-field="${path}"] input`);
  const focusIsIn = (path) => page.locator(`[data-field="${path}"] :focus`).waitFor();
  const dialog = page.getByRole("dialog");
  const documentFold = page.locator('button[aria-expanded]:has-text("More about this document")');
  const totals = page.locator("footer[data-totals]");

  const openEditor = async (language = "en") => {
    await page.locator("nav button").first().waitFor();
    await page.keyboard.press("Control+n");
    await focusIsIn(`buyer.name.${language}`);
  };
  /** A new invoice with a line of 20 pieces. */
  const typeLine = async (price = "35", language = "en") => {
    await openEditor(language);
    await page.keyboard.insertText("Dune Catering");
    await page.keyboard.press("F6");
    await focusIsIn(`lines[0].description.${language}`);
    await page.keyboard.insertText("Lunch");
    await field("lines[0].quantity").fill("20");
    if (price !== "") await field("lines[0].unitPrice").fill(price);
  };
  const unfold = async (group) => {
    if ((await documentFold.getAttribute("aria-expanded")) !== "true") await documentFold.press("Enter");
    const fold = page.locator(`button[aria-expanded]:has-text("${group}")`).first();
    if ((await fold.getAttribute("aria-expanded")) !== "true") await fold.press("Enter");
  };
  await test("a discount in percent and a charge change the totals, and one undo takes each back", async () => {
    await setPreferences({ language: "en" });
    await typeLine();
    await totals.getByText("805.00").waitFor();
    await unfold("Allowances and charges");
    await page.getByRole("button", { name: "Add an allowance" }).first().press("Enter");
    await focusIsIn("details.allowancesCharges[0].amount");
    await page.keyboard.press("Tab");
    await page.keyboard.type("10");
    await totals.getByText("724.50").waitFor();
    await page.getByText("Empty: the sum of the lines").waitFor();
    await page.getByRole("button", { name: "Add a charge" }).first().press("Enter");
    await focusIsIn("details.allowancesCharges[1].amount");
    await page.keyboard.type("25");
    await totals.getByText("753.25").waitFor();
    await page.getByRole("button", { name: /^Remove .*Charge.* .*2/ }).press("Enter");
    await totals.getByText("724.50").waitFor();
    await page.keyboard.press("Control+z");
    await totals.getByText("753.25").waitFor();
    assert.equal(await field("details.allowancesCharges[1].amount").inputValue(), "25");
  });

  await test("the fold of a line says what it holds, and its fields are reached by the keyboard", async () => {
    await field("lines[0].unitPrice").focus();
    await page.keyboard.press("Control+i");
    await focusIsIn("lines[0].details.itemCode");
    await page.keyboard.type("A-17");
    const fold = page.locator('[data-row="0"] .line-more > button[aria-expanded]');
    await fold.press("Enter");
    await fold.getByText("Item code \u2068A-17\u2069").waitFor();
    assert.equal(await fold.getAttribute("aria-expanded"), "false");
  });

  await test("a mistake in a folded field opens its fold, and the summary leads to it", async () => {
    await unfold("Payment");
    await page.locator('[data-field="details.payment.accountName"] input').fill("Al-Khair");
    await documentFold.press("Enter");
    await field("details.payment.account").waitFor({ state: "detached" });
    await page.keyboard.press("Control+Enter");
    const summary = page.getByRole("group", { name: /Nothing was sent/ });
    await summary.getByRole("button", { name: /Account \(IBAN\)/ }).press("Enter");
    await focusIsIn("details.payment.account");
    await page.keyboard.type("SA0380000000608010167591");
    await page.getByText("The check digits do not fit.").waitFor();
    await takeScreenshot(page, "details-error-en-light", { fullPage: true });
  });

  await test("an invoice that precedes this one is typed with its date, and an error leads to it", async () => {
    await unfold("References");
    await page.getByRole("button", { name: "Add a preceding invoice" }).press("Enter");
    await focusIsIn("details.precedingDocuments[0].number");
    await page.keyboard.press("Tab");
    await page.keyboard.type("02112026");
    await takeScreenshot(page, "details-preceding-en-light");
    await page.keyboard.press("Control+Enter");
    const summary = page.getByRole("group", { name: /Nothing was sent/ });
    await summary.getByRole("button", { name: /Number of the invoice/ }).press("Enter");
    await focusIsIn("details.precedingDocuments[0].number");
    await page.keyboard.type("INV-2026-0001");
    await page.getByRole("button", { name: /^Remove .*Number of the invoice.* .*1/ }).press("Enter");
    await page.locator('[data-field^="details.precedingDocuments[0]"]').first().waitFor({ state: "detached" });
  });

  await test("a second account is typed after the first, checked, and taken back by one undo", async () => {
    await page.getByRole("button", { name: "Add a means of payment" }).press("Enter");
    await page.locator('[data-field="details.otherPayments[0].code"] :focus').waitFor();
    await field("details.otherPayments[0].account").fill("SA4420000001234567891235");
    await page.getByText("The check digits do not fit.").nth(1).waitFor();
    await field("details.otherPayments[0].account").fill("SA4420000001234567891234");
    const name = page.getByRole("group", { name: /Means of payment.* .*1/ });
    await page.locator('[data-field="details.otherPayments[0].mandate.payerAccount"]').scrollIntoViewIfNeeded();
    await takeScreenshot(page, "details-payments-en-light");
    await name.getByRole("button", { name: /^Remove/ }).press("Enter");
    await name.waitFor({ state: "detached" });
    await page.keyboard.press("Control+z");
    await name.waitFor();
    assert.equal(await field("details.otherPayments[0].account").inputValue(), "SA4420000001234567891234");
  });

  await test("what was unfolded is still unfolded in the next document", async () => {
    await until(async () => {
      const { binding } = await invoke("watch", { after: 0 });
      const settings = await invoke("list_settings", { binding });
      return settings.unfolded.includes("allowances") && !settings.unfolded.includes("document");
    });
    await page.reload();
    await openEditor();
    assert.equal(await documentFold.getAttribute("aria-expanded"), "false");
    await documentFold.press("Enter");
    await page.getByRole("button", { name: "Add an allowance" }).waitFor();
  });

  await test("a rare unit and currency are found by words, and amounts have the digits of the currency", async () => {
    await page.reload();
    await typeLine();
    const find = async (choice, letters) => {
      await choice.press("Enter");
      await page.getByRole("option", { name: "Another code…" }).press("Enter");
      await dialog.getByRole("combobox").and(page.locator(":focus")).waitFor();
      await page.keyboard.type(letters);
      if (letters === "carton") await assertAccessible(page, "all codes");
      await page.keyboard.press("Enter");
      await dialog.waitFor({ state: "detached" });
      await choice.and(page.locator(":focus")).waitFor();
    };
    const unit = page.locator('[data-row="0"] [data-cell="unit"] button');
    await find(unit, "carton");
    await unit.getByText("carton").waitFor();
    const currency = page.locator('[data-field="currency"] button');
    await find(currency, "tunis");
    await currency.getByText("TND").waitFor();
    await totals.getByText("805.000").waitFor();
  });

  await test("reasons of exemptions are those of the category, with words", async () => {
    await page.locator('[data-row="0"] [data-cell="taxCategory"] button').press("Enter");
    await page.getByRole("option", { name: "Zero rate" }).press("Enter");
    const cell = page.locator('[data-row="0"] [data-cell="exemptionCode"] button');
    await cell.press("Enter");
    await page.getByRole("option", { name: "Medicines and medical equipment" }).waitFor();
    assert.equal(await page.getByRole("option", { name: "Life insurance" }).count(), 0);
    await page.getByRole("option", { name: "Medicines and medical equipment" }).press("Enter");
    await cell.getByText("SA-35").waitFor();
  });

  await test("a price with tax becomes the net price, also if it has to be rounded", async () => {
    await page.reload();
    await typeLine("");
    await field("lines[0].quantity").fill("1");
    await field("lines[0].unitPrice").focus();
    await page.keyboard.press("Control+g");
    await dialog.getByRole("textbox").waitFor();
    await page.keyboard.type("115");
    await dialog.getByText("SAR\u00a0115.00").waitFor();
    await assertAccessibleInEachAppearance({ page, invoke }, "price with tax");
    await takeScreenshot(page, "price-with-tax-en-light");
    await page.keyboard.press("Enter");
    await dialog.waitFor({ state: "detached" });
    assert.equal(await field("lines[0].unitPrice").inputValue(), "100");
    await totals.getByText("115.00").waitFor();
    await focusIsIn("lines[0].unitPrice");
  });

  await test("a total that no net price reaches is told, and the nearest is offered", async () => {
    await page.keyboard.press("Control+g");
    await dialog.getByRole("textbox").waitFor();
    await page.keyboard.type("35");
    await dialog.getByText("No unit price makes the line come to exactly").waitFor();
    await takeScreenshot(page, "price-with-tax-nearest-en-light");
    await page.keyboard.press("Enter");
    assert.equal(await dialog.count(), 1, "Enter takes no other total than the one that was typed");
    await dialog.getByRole("button", { name: /Use the nearest/ }).press("Enter");
    await dialog.waitFor({ state: "detached" });
    await totals.getByText(/35\.01|34\.99/).waitFor();
  });

  await test("every total says how it comes about, down to the lines, and the focus comes back", async () => {
    await field("lines[0].quantity").fill("3");
    await field("lines[0].unitPrice").fill("33.3350");
    await totals.getByText("100.01").waitFor();
    await totals.getByRole("button", { name: /Payable/ }).press("Enter");
    await dialog.getByRole("heading", { name: "Payable" }).waitFor();
    await assertAccessibleInEachAppearance({ page, invoke }, "explanation");
    await dialog.getByRole("button", { name: "Total with tax" }).press("Enter");
    await dialog.getByRole("heading", { name: "Total with tax" }).waitFor();
    await dialog.getByRole("button", { name: "Net amount" }).press("Enter");
    await dialog.getByRole("button", { name: "Sum of the lines" }).press("Enter");
    await dialog.getByRole("button", { name: /^Line .?1/ }).press("Enter");
    await dialog.getByText(/Exactly .?100\.005.?, rounded half away from zero/).waitFor();
    await takeScreenshot(page, "explanation-en-light");
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await page.locator("footer[data-totals] button:focus").waitFor();
    await field("lines[0].unitPrice").focus();
    await page.keyboard.press("Control+Shift+x");
    await dialog.getByRole("heading", { name: /^Line .?1/ }).waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
  });

  await test("the menu of a line opens its fields, a price with tax and the explanation", async () => {
    const menu = page.locator('[data-row="0"] .line-columns button[aria-haspopup]').last();
    const choose = async (name) => {
      await menu.press("Enter");
      await page.getByRole("menuitem", { name }).press("Enter");
    };
    await choose(/More about this line/);
    await focusIsIn("lines[0].details.itemCode");
    await choose(/Price with tax/);
    await dialog.getByRole("textbox").waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await choose(/How this amount comes about/);
    await dialog.getByRole("heading", { name: /^Line .?1/ }).waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await menu.press("Enter");
    await page.getByRole("menuitem").first().waitFor();
    await assertAccessibleInEachAppearance({ page, invoke }, "menu of a line", { atOneWidth: true });
    await takeScreenshot(page, "line-menu-en-light");
    await page.keyboard.press("Escape");
  });

  await test("the amounts of a document that is only shown are explained as well", async () => {
    await page.reload();
    await page.locator("nav button").nth(2).click();
    await page.getByRole("grid").first().waitFor();
    await page.locator('[role=row][data-index="0"]').click();
    const detail = page.getByRole("complementary");
    await detail.getByRole("button", { name: "How this amount comes about" }).press("Enter");
    await dialog.getByRole("heading", { name: "Total with tax" }).waitFor();
    await takeScreenshot(page, "explanation-of-document-en-light");
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await detail.getByRole("button", { name: "How this amount comes about" }).and(page.locator(":focus")).waitFor();
  });

  const openAllGroups = async ({ language }) => {
    await typeLine("35", language);
    const folds = page.locator("section > button[aria-expanded], section > div > div > button[aria-expanded]");
    for (let at = 0; at <= GROUPS; at += 1) {
      const fold = folds.nth(at);
      if ((await fold.getAttribute("aria-expanded")) !== "true") await fold.press("Enter");
    }
    await page.locator('[data-field="details.precedingDocuments"] button').press("Enter");
    await focusIsIn("details.precedingDocuments[0].number");
    await page.locator('[data-field="details.otherPayments"] button').press("Enter");
    await page.locator('[data-field="details.otherPayments[0].code"] :focus').waitFor();
    await page.locator('[data-field="details.allowancesCharges"] button').first().press("Enter");
    await focusIsIn("details.allowancesCharges[0].amount");
    await field("lines[0].unitPrice").focus();
    await page.keyboard.press("Control+i");
    await focusIsIn("lines[0].details.itemCode");
    await page.locator('[data-field="lines[0].details.allowancesCharges"] button').last().press("Enter");
    await focusIsIn("lines[0].details.allowancesCharges[0].amount");
  };
  const groups = { name: "all groups open", claim: "accessible, and no wider than the window" };
  await inEachAppearance(test, { page, invoke, setPreferences }, groups, openAllGroups, async ({ language, theme }) => {
    // A theme is colours alone: it changes nothing at another width.
    for (const width of theme === "light" ? [1280, 320] : [1280]) {
      await page.setViewportSize({ width, height: width === 320 ? 800 : 1700 });
      await assertAccessible(page, `groups at ${width} px`);
      await assertNoHorizontalScroll(page);
      await takeScreenshot(page, `details-${language}-${theme}-${width}`);
    }
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  await test("no error was logged", () => assert.deepEqual(errors, []));
  await close();
}
