// Browser tests of the editor by keyboard: save and issue in one confirmation.

import assert from "node:assert/strict";
import { assertAccessible, takeScreenshot } from "./browser.mjs";
import { assertAccessibleInEachAppearance } from "./each-appearance.mjs";

export async function editorTests({ page, test, openHome, invoke }) {
  const focusIsIn = (selector) => page.locator(`${selector} :focus, ${selector}:focus`).waitFor();
  const detail = page.getByRole("complementary");
  const question = page.getByRole("alertdialog");

  /** A new invoice of one line, up to its price. */
  const typeInvoice = async (buyer) => {
    await openHome();
    await page.keyboard.press("Control+n");
    await focusIsIn('[data-field="buyer.name.en"]');
    await page.keyboard.insertText(buyer);
    await page.keyboard.press("F6");
    await focusIsIn('[data-field="lines[0].description.en"]');
    await page.keyboard.insertText("Lunch");
    await page.keyboard.press("Tab");
    await page.keyboard.type("20");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await page.keyboard.type("35");
  };

  /** A change of a document that another window makes. */
  const changeNote = async (key, note) => {
    const { binding } = await invoke("watch", { after: 0 });
    const { row, content } = await invoke("get_invoice", { binding, key });
    const draft = { key, changes: { stamp: row.stamp, content }, content: { ...content, note }, state: "editing" };
    await invoke("save_draft", { binding, draft });
    await invoke("update_document", { binding, key });
  };

  await test("save and issue asks once, names organization, buyer and total, and Enter accepts", async () => {
    await typeInvoice("Dune Bakery");
    await page.keyboard.press("Control+Shift+Enter");
    await question.getByText("Al-Khair Trading").waitFor();
    await question.getByText("Dune Bakery").waitFor();
    await question.getByText("SAR\u00a0805.00").waitFor();
    await assertAccessibleInEachAppearance({ page, invoke }, "save and issue");
    await takeScreenshot(page, "save-issue-en-light");
    await page.keyboard.press("Enter");
    await detail
      .getByText(/Issued.*\d:\d/)
      .first()
      .waitFor();
    await focusIsIn("aside[data-detail]");
  });

  await test("save, issue and freeze is one confirmation as well", async () => {
    await typeInvoice("Dune Catering");
    await page.keyboard.press("Control+Shift+Enter");
    await question.waitFor();
    await page.keyboard.press("Shift+Tab");
    assert.equal(await page.evaluate(() => document.activeElement?.textContent), "Save, issue and freeze");
    await page.keyboard.press("Enter");
    await detail
      .getByText(/Frozen.*\d:\d/)
      .first()
      .waitFor();
  });

  await test("a draft that was left opens as it was typed, and not as it began", async () => {
    const drafts = page.locator("nav button", { hasText: "Unsent drafts" });
    const left = page.locator("main li button", { hasText: "Dune Library" });
    await typeInvoice("Dune Library");
    for (const quantity of ["20", "21"]) {
      await drafts.press("Enter");
      await left.press("Enter");
      await page.locator("#editor-title").waitFor();
      assert.equal(await page.locator('[data-field="buyer.name.en"] input').inputValue(), "Dune Library");
      assert.equal(await page.locator('[data-row="0"] [data-cell="quantity"]').inputValue(), quantity);
      await page.locator('[data-row="0"] [data-cell="quantity"]').fill("21");
    }
    await drafts.press("Enter");
    await left.press("Enter");
    await page.locator("#editor-title").waitFor();
    await page.keyboard.press("Control+Enter");
    await detail.getByText("Dune Library").first().waitFor();
  });

  await test("a last line in which nothing was typed leaves the totals, and is not sent", async () => {
    await typeInvoice("Dune Florist");
    await page.keyboard.press("Enter");
    await focusIsIn('[data-row="1"] [data-cell="description.en"]');
    await page.locator("[data-totals]").getByText("SAR\u00a0805.00").waitFor();
    await page.keyboard.press("Control+Enter");
    await detail.getByText("Dune Florist").first().waitFor();
  });

  await test("what is wrong is shown instead of the question", async () => {
    await openHome();
    await page.keyboard.press("Control+n");
    await focusIsIn('[data-field="buyer.name.en"]');
    await page.keyboard.press("Control+Shift+Enter");
    await page.getByRole("group", { name: /Nothing was sent/ }).waitFor();
    assert.equal(await question.count(), 0);
  });

  await test("a step that fails leaves the document saved, says so, and is offered again", async () => {
    await typeInvoice("Half Way Stores");
    await page.keyboard.press("Control+Shift+Enter");
    await question.waitFor();
    // Between the two steps somebody else changes the document.
    await page.route(
      "**/issue_document",
      async (route) => {
        const { key } = route.request().postDataJSON();
        await changeNote(key, "Changed by somebody else");
        await route.continue();
      },
      { times: 1 },
    );
    await page.keyboard.press("Enter");
    await detail.getByText("Saved as a draft to the books, but not issued.").waitFor();
    await detail.getByText("Half Way Stores").first().waitFor();
    await assertAccessible(page, "a step that failed");
    await takeScreenshot(page, "save-issue-failed-en-light");
    await detail.getByRole("button", { name: "Issue", exact: true }).first().press("Enter");
    await detail
      .getByText(/Issued.*\d:\d/)
      .first()
      .waitFor();
    // The button that had it goes with its notice.
    await focusIsIn("aside[data-detail]");
  });
}
