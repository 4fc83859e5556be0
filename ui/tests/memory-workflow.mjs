// Browser tests of remembered buyers and items, due dates by terms and payments: with real keys only, in both languages. The focus is
// never on the body, and a known invoice of five lines is frozen within the budget.

import assert from "node:assert/strict";
import { appearances, assertAccessible, takeScreenshot } from "./browser.mjs";
import { assertAccessibleInEachAppearance } from "./each-appearance.mjs";

/** Keys from Ctrl+N to the frozen invoice of five lines, with the letters of searches and without the texts that are new. */
const KEY_BUDGET = 60;

const ITEMS = [
  { en: "Cooling tower service", ar: "صيانة برج التبريد", price: "410.00" },
  { en: "Filter replacement", ar: "استبدال المرشحات", price: "85.50" },
  { en: "Pump inspection", ar: "فحص المضخات", price: "230.00" },
  { en: "Water treatment", ar: "معالجة المياه", price: "145.25" },
  { en: "Duct cleaning", ar: "تنظيف مجاري الهواء", price: "99.00" },
];

const BUYER = {
  name: { en: "Oasis Hotels", ar: "فنادق الواحة" },
  taxId: "310298765400003",
  street: "Prince Turki Street",
  building: "7421",
  district: "Al Corniche",
  city: "Khobar",
  postalCode: "34413",
  country: "SA",
};

export async function memoryTests({ page, test, homeIsShown, openHome, invoke, setPreferences }) {
  let pressed = 0;
  const press = async (key) => {
    pressed += 1;
    await page.keyboard.press(key);
  };
  const search = async (letters) => {
    // A letter that the keyboard of the test does not have is typed as text; it counts as a key all the same.
    for (const letter of letters) {
      pressed += 1;
      await page.keyboard.type(letter);
    }
  };
  const focusIsIn = (selector) => page.locator(`${selector} :focus, ${selector}:focus`).waitFor();
  const focusIsSomewhere = async (when) => {
    // A view that has just gone hands its focus on in the next frames.
    const found = await page
      .waitForFunction(() => document.activeElement !== null && document.activeElement !== document.body, null, { timeout: 3000 })
      .catch(() => null);
    assert.ok(found, `the focus is on the body ${when}`);
  };
  const value = (field) => page.locator(`[data-field="${field}"] input`).first().inputValue();
  const detail = page.getByRole("complementary");

  await test("a saved and issued invoice leaves its buyer and items remembered", async () => {
    const { binding } = await invoke("watch", { after: 0 });
    const today = new Date().toISOString().slice(0, 10);
    const due = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10);
    const draft = await invoke("new_draft", {
      binding,
      content: {
        kind: "invoice",
        buyer: BUYER,
        issueDate: today,
        dueDate: due,
        supplyDate: "",
        currency: "SAR",
        lines: ITEMS.map(({ en, ar, price }) => ({
          description: { en, ar },
          quantity: "1",
          unit: "HUR",
          unitPrice: price,
          taxCategory: "S",
          taxRate: "15",
          exemptionCode: "",
        })),
        note: "",
        noteAr: "",
        correction: null,
      },
    });
    const { row } = await invoke("create_document", { binding, key: draft.key });
    await invoke("issue_document", { binding, key: row.key, stamp: row.stamp });
    await invoke("remember_document", { binding, key: row.key, dueTerms: null });
    const found = await invoke("search_parties", { binding, text: "oas" });
    assert.deepEqual(
      found.map(({ buyer }) => buyer.taxId),
      [BUYER.taxId],
    );
  });

  const languages = {
    en: { buyer: "oas", items: ["coo", "fil", "pum", "wat", "duc"], frozen: /Frozen.*\d:\d/ },
    ar: { buyer: "فنا", items: ["برج", "مرش", "مضخ", "ميا", "مجا"], frozen: /(مجمّدة|مقفلة|مجمدة).*\d:\d/ },
  };
  for (const [language, { buyer, items, frozen }] of Object.entries(languages)) {
    await test(`${language}: five known lines for a known buyer are frozen with few keys`, async () => {
      await setPreferences({ language });
      await homeIsShown();
      pressed = 0;
      const suggestionsAreAccessible = async (what) => {
        await page.getByRole("option").first().waitFor();
        const of = appearances.filter((appearance) => appearance.language === language);
        await assertAccessibleInEachAppearance({ page, invoke }, what, { of, atOneWidth: true });
      };
      await press("Control+n");
      await focusIsIn(`[data-field="buyer.name.${language}"]`);
      await search(buyer);
      await suggestionsAreAccessible("suggested buyers");
      await press("Enter");
      // Terms of the buyer give the due date, so that the lines are next.
      await focusIsIn(`[data-field="lines[0].description.${language}"]`);
      assert.equal(await value("buyer.taxId"), BUYER.taxId);
      assert.equal(await value("buyer.name.ar"), BUYER.name.ar);
      assert.equal(await value("buyer.city"), BUYER.city);
      for (const [index, letters] of items.entries()) {
        await focusIsIn(`[data-field="lines[${index}].description.${language}"]`);
        await search(letters);
        if (index === 0) await suggestionsAreAccessible("suggested items");
        await press("Enter");
        await focusIsIn(`[data-field="lines[${index}].quantity"]`);
        await page.waitForFunction(
          ([row, price]) => document.querySelector(`[data-row="${row}"] [data-cell="unitPrice"]`).value === price,
          [index, ITEMS[index].price],
        );
        await press(String(index + 2));
        if (index < items.length - 1) await press("Enter");
      }
      await takeScreenshot(page, `memory-filled-${language}-light`);
      await press("Control+Shift+Enter");
      await page.getByRole("alertdialog").waitFor();
      await press("Shift+Tab");
      await press("Enter");
      await detail.getByText(frozen).first().waitFor();
      await focusIsSomewhere("after freezing");
      assert.ok(pressed <= KEY_BUDGET, `${pressed} keys`);
      console.log(`      ${pressed} keys in ${language}`);
    });
  }

  await test("suggestions are listed, one undo takes a chosen buyer back, and what is typed stays without choosing", async () => {
    await setPreferences({});
    await homeIsShown();
    await page.keyboard.press("Control+n");
    await focusIsIn('[data-field="buyer.name.en"]');
    await page.keyboard.type("oas");
    await page.getByRole("option", { name: /Oasis Hotels/ }).waitFor();
    await takeScreenshot(page, "memory-buyers-en-light");
    const forgotten = page.getByRole("option", { name: /No longer suggested/ });
    await page.keyboard.press("Shift+Delete");
    await forgotten.waitFor();
    await assertAccessible(page, "a forgotten suggestion");
    await takeScreenshot(page, "memory-forgotten-en-light");
    await page.keyboard.press("Shift+Delete");
    await forgotten.waitFor({ state: "detached" });
    await focusIsIn('[data-field="buyer.name.en"]');
    await page.keyboard.press("Escape");
    await page.getByRole("option").first().waitFor({ state: "detached" });
    assert.equal(await value("buyer.name.en"), "oas");
    await page.keyboard.type("i");
    await page.keyboard.press("Enter");
    await focusIsIn('[data-field="lines[0].description.en"]');
    assert.equal(await value("buyer.name.en"), "Oasis Hotels");
    await page.keyboard.press("Control+z");
    await page.waitForFunction(() => document.querySelector('[data-field="buyer.taxId"] input').value === "");
    assert.equal(await value("buyer.name.en"), "oasi");
  });

  await test("a known tax id under another name is offered, and can be used", async () => {
    const taxId = page.locator('[data-field="buyer.taxId"] input');
    await taxId.focus();
    await page.keyboard.type(BUYER.taxId);
    const notice = page.locator("#root").getByRole("status").filter({ hasText: "has the same tax id" });
    await notice.waitFor();
    await assertAccessible(page, "same tax id");
    await takeScreenshot(page, "memory-same-tax-id-en-light");
    await notice.getByRole("button", { name: "Fill in this buyer" }).press("Enter");
    await page.waitForFunction(() => document.querySelector('[data-field="buyer.city"] input').value === "Khobar");
    await focusIsSomewhere("after using the known buyer");
  });

  await test("terms set the due date, in both languages", async () => {
    const terms = page.locator('[data-field="terms"] input');
    await terms.focus();
    await page.keyboard.type("eom+15");
    await page.keyboard.press("Enter");
    const due = () =>
      page
        .locator('[data-field="dueDate"]')
        .getByRole("spinbutton")
        .allTextContents()
        .then((parts) => parts.join("-"));
    const first = await due();
    // In a week, which is before the 15th of the next month on every day.
    await terms.fill("+٧");
    await page.keyboard.press("Enter");
    assert.notEqual(await due(), first);
    await terms.fill("نهاية الشهر + ١٥");
    await page.keyboard.press("Enter");
    assert.equal(await due(), first);
    await takeScreenshot(page, "memory-terms-en-light");
  });

  await test("a payment is recorded and voided by keyboard, and the open amount follows", async () => {
    await openHome();
    await page.keyboard.press("/");
    await page.keyboard.insertText("oasis");
    await page.keyboard.press("Enter");
    await detail.getByText("Payments").first().waitFor();
    await detail.getByText("Open").first().waitFor();
    await page.keyboard.press("Control+Shift+m");
    const dialog = page.getByRole("dialog").filter({ hasText: "Record a payment" });
    const amount = dialog.getByRole("textbox", { name: /Amount in/ });
    await amount.and(page.locator(":focus")).waitFor();
    await assertAccessibleInEachAppearance({ page, invoke }, "record a payment");
    await takeScreenshot(page, "payment-record-en-light");
    await amount.press("Control+a");
    await page.keyboard.type("100");
    await page.keyboard.press("Enter");
    await dialog.waitFor({ state: "detached" });
    await detail.getByText("Partly paid").first().waitFor();
    await focusIsSomewhere("after recording");
    await assertAccessible(page, "payments");
    await takeScreenshot(page, "payment-recorded-en-light");
    await detail.getByRole("button", { name: /Void the payment/ }).press("Enter");
    const question = page.getByRole("alertdialog");
    const reason = question.getByRole("textbox");
    await reason.and(page.locator(":focus")).waitFor();
    await assertAccessibleInEachAppearance({ page, invoke }, "void a payment");
    await reason.pressSequentially("Another customer");
    await page.keyboard.press("Enter");
    await question.waitFor({ state: "detached" });
    await detail.getByText("Voided: ").first().waitFor();
    await focusIsSomewhere("after voiding");
    await takeScreenshot(page, "payment-voided-en-light");
  });

  await test("a second invoice for the same buyer and total asks first", async () => {
    await page.keyboard.press("Control+d");
    await page.locator('[data-field="buyer.name.en"]').waitFor();
    await page.keyboard.press("Control+Enter");
    const question = page.getByRole("alertdialog").filter({ hasText: "Already invoiced" });
    await question.waitFor();
    await assertAccessibleInEachAppearance({ page, invoke }, "similar documents");
    await takeScreenshot(page, "similar-en-light");
    await question.getByRole("button", { name: "Back to the form" }).and(page.locator(":focus")).waitFor();
    await page.keyboard.press("Enter");
    await question.waitFor({ state: "detached" });
    await focusIsSomewhere("after going back");
  });

  await test("another address of a known buyer is told of after saving, and remembered when somebody says so", async () => {
    await page.locator('[data-field="buyer.street"] input').fill("Corniche Road");
    await page.keyboard.press("Control+Enter");
    const question = page.getByRole("alertdialog").filter({ hasText: "Already invoiced" });
    await question.getByRole("button", { name: "Save a new one" }).press("Enter");
    const offer = detail.getByRole("status").filter({ hasText: "differs from this document" });
    await offer.waitFor();
    await assertAccessible(page, "new details of a buyer");
    await takeScreenshot(page, "memory-new-details-en-light");
    await offer.getByRole("button", { name: /^Keep the new details/ }).press("Enter");
    await offer.waitFor({ state: "detached" });
    await focusIsSomewhere("after keeping the new details");
    const { binding } = await invoke("watch", { after: 0 });
    const [kept] = await invoke("search_parties", { binding, text: "oas" });
    assert.equal(kept.buyer.street, "Corniche Road");
  });

  /** An invoice that is paid, and its two notes: the credit note leaves something to refund. */
  const paidInvoiceWithNotes = async () => {
    const { binding } = await invoke("watch", { after: 0 });
    const issue = async (kind, price, correction) => {
      const today = new Date().toISOString().slice(0, 10);
      const line = { quantity: "1", unit: "HUR", unitPrice: price, taxCategory: "S", taxRate: "15", exemptionCode: "" };
      const content = {
        kind,
        buyer: { ...BUYER, name: { en: "Marina Bakery", ar: "مخبز المرسى" }, taxId: "" },
        issueDate: today,
        dueDate: "",
        supplyDate: "",
        currency: "SAR",
        lines: [{ description: { en: ITEMS[0].en, ar: ITEMS[0].ar }, ...line }],
        note: "",
        noteAr: "",
        correction,
      };
      const draft = await invoke("new_draft", { binding, content });
      const { row } = await invoke("create_document", { binding, key: draft.key });
      const { row: issued } = await invoke("issue_document", { binding, key: row.key, stamp: row.stamp });
      return issued;
    };
    const invoice = await issue("invoice", "100.00", null);
    const of = { key: invoice.key, number: invoice.number, issueDate: invoice.issueDate, reason: "Delivered late" };
    const payment = await invoke("new_payment", { binding, key: invoice.key });
    await invoke("record_payment", { binding, payment });
    await issue("debitNote", "20.00", of);
    const note = await issue("creditNote", "60.00", of);
    return { invoice, note };
  };

  const refundWords = {
    en: {
      debitNotes: "Debit notes",
      creditNotes: "Credit notes",
      toRefund: "To refund",
      record: "Record a refund",
      amount: /Amount in/,
    },
    ar: {
      debitNotes: "الإشعارات المدينة",
      creditNotes: "الإشعارات الدائنة",
      toRefund: "المستحق ردّه",
      // The window has a zero-width non-joiner after the mark.
      record: /تسجيل ردّ\u200C? مبلغ/,
      amount: /المبلغ بعملة/,
    },
  };
  for (const [language, words] of Object.entries(refundWords)) {
    await test(`${language}: notes of an invoice are named by it, and a refund is recorded by keyboard`, async () => {
      const { invoice, note } = await paidInvoiceWithNotes();
      await setPreferences({ language });
      await homeIsShown();
      const rowOf = (number) => page.locator("[role=grid] [role=row]", { hasText: number });
      /** Opens a document through the list of a window that was just opened. */
      const open = async (number) => {
        await page.keyboard.press("/");
        await page.keyboard.insertText(number);
        // The rows before the search have it too.
        await page.waitForFunction((found) => {
          const rows = [...document.querySelectorAll("[role=grid] [data-index]")];
          return rows.length > 0 && rows.every((row) => row.textContent.includes(found));
        }, number);
        await page.keyboard.press("ArrowDown");
        await rowOf(number).and(page.locator(":focus")).press("Enter");
        await detail.getByText(number).first().waitFor();
      };
      await open(invoice.number);
      await detail.getByRole("list", { name: words.debitNotes }).getByRole("button").waitFor();
      await detail.getByRole("list", { name: words.creditNotes }).getByRole("button").waitFor();
      await assertAccessible(page, "notes of an invoice");
      await takeScreenshot(page, `relations-notes-${language}-light`);
      await openHome();
      await open(note.number);
      await detail.getByText(words.toRefund).first().waitFor();
      await page.keyboard.press("Control+Shift+m");
      const dialog = page.getByRole("dialog").filter({ hasText: words.record });
      await dialog.getByRole("textbox", { name: words.amount }).and(page.locator(":focus")).waitFor();
      await assertAccessible(page, "record a refund");
      await takeScreenshot(page, `refund-record-${language}-light`);
      await page.keyboard.type("29");
      await page.keyboard.press("Enter");
      await dialog.waitFor({ state: "detached" });
      await focusIsSomewhere("after recording a refund");
      await detail.getByText("40.00").first().waitFor();
      await takeScreenshot(page, `refund-recorded-${language}-light`);
      await openHome();
      await open(note.number);
      await detail.getByText("40.00").first().waitFor();
    });
  }
}
