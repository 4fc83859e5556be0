// Browser tests of templates and recurring drafts with the real core, by keyboard: a template of an invoice, a document from it, a
// schedule, and the draft that it makes on its date.

import assert from "node:assert/strict";
import { assertAccessibleAtEveryWidth, fewAppearances, takeScreenshot } from "./browser.mjs";
import { assertAccessibleInEachAppearance, inEachAppearance } from "./each-appearance.mjs";
import { signedInPage, waitForFocus } from "./signed-in.mjs";
import { pressMoreAction } from "./window-flow.mjs";

const RENT = "Rent of the warehouse";
const CLEANING = "Cleaning of the offices";

export async function templatesTests(test, browser, { host }) {
  const { page, errors, close, invoke, setPreferences } = await signedInPage(browser, host, "noura@alkhair.example");
  const dialog = page.getByRole("dialog");
  const search = dialog.getByRole("searchbox");
  const openInvoices = async () => {
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox").fill("invoices");
    await page.keyboard.press("Enter");
    await page.getByRole("grid").waitFor();
  };
  const openMenu = () =>
    page
      .getByRole("button", { name: /More ways to begin|طرق أخرى/ })
      .first()
      .press("Enter");
  const fromTemplate = async () => {
    await openMenu();
    await page.getByRole("menuitem", { name: /From a template|من قالب/ }).press("Enter");
    await search.waitFor();
  };
  const names = () => dialog.getByRole("list").getByRole("listitem").locator(".font-semibold > bdi").allTextContents();

  await test("an invoice is kept as a template from its view", async () => {
    await openInvoices();
    await page.getByRole("grid").locator("[data-index]", { hasText: "INV-" }).first().press("Enter");
    for (const name of [RENT, CLEANING]) {
      await pressMoreAction(page, "Save as template");
      await dialog.getByLabel("Name (optional)").fill(name);
      if (name === RENT) {
        const few = { of: fewAppearances, atOneWidth: true };
        await assertAccessibleInEachAppearance({ page, invoke }, "keeping a template", few);
        // The focus was in the name all the time.
        await dialog.getByLabel("Name (optional)").and(page.locator(":focus")).waitFor();
      }
      await page.keyboard.press("Enter");
      await dialog.waitFor({ state: "detached" });
    }
  });

  await test("the menu of new documents offers the templates, what was saved or used last first, with a search", async () => {
    await fromTemplate();
    // What was read before is shown until the new order is there.
    await dialog.getByRole("listitem").first().filter({ hasText: CLEANING }).waitFor();
    assert.deepEqual(await names(), [CLEANING, RENT]);
    await page.waitForFunction(() => document.activeElement?.getAttribute("type") === "search");
    await page.keyboard.type("no such name");
    await dialog.getByText("No template fits.").waitFor();
    await page.locator("[data-live-announcer]").filter({ hasText: "No template fits." }).waitFor({ state: "attached" });
    await search.fill("warehouse");
    await dialog.getByRole("listitem").nth(1).waitFor({ state: "detached" });
    assert.deepEqual(await names(), [RENT]);
    await page.keyboard.press("Enter");
    await page.locator("#editor-title").waitFor();
    assert.notEqual(await page.locator('[data-field="buyer.name.en"] input').first().inputValue(), "");
    const today = await page.evaluate(() => new Date().toLocaleDateString("en-CA", { timeZone: "Asia/Riyadh" }));
    const { binding } = await invoke("watch", { after: 0 });
    const drafts = await invoke("drafts", { binding });
    const draft = await invoke("open_draft", { binding, key: drafts[0].key });
    assert.equal(draft.content.issueDate, today, "the document is of today");
  });

  await test("the template that was used is the first, and the arrow keys go from one to the next", async () => {
    await page.keyboard.press("Control+Shift+u");
    await search.waitFor();
    await dialog.getByRole("listitem").first().filter({ hasText: RENT }).waitFor();
    assert.deepEqual(await names(), [RENT, CLEANING]);
    const focused = (name) => page.waitForFunction((text) => document.activeElement?.ariaLabel?.includes(text), name);
    await page.keyboard.press("ArrowDown");
    await focused(RENT);
    await page.keyboard.press("ArrowDown");
    await focused(CLEANING);
    await page.keyboard.press("ArrowDown");
    await focused(CLEANING);
    await page.keyboard.press("ArrowUp");
    await focused(RENT);
  });

  await test("a template repeats, and its draft is ready on the date", async () => {
    await dialog.getByRole("button", { name: new RegExp(`Repeat .*${RENT}`) }).press("Enter");
    await dialog.getByText("Next drafts:").waitFor();
    await assertAccessibleInEachAppearance({ page, invoke }, "the schedule of a template");
    await takeScreenshot(page, "template-schedule-en-light");
    await dialog.getByRole("button", { name: /Day of the month/ }).press("Enter");
    const day = await page.evaluate(() => Number(new Date().toLocaleDateString("en-CA", { timeZone: "Asia/Riyadh" }).slice(8)));
    await page.getByRole("option", { name: String(day), exact: true }).click();
    await dialog.getByRole("button", { name: "Save schedule" }).press("Enter");
    await dialog.getByRole("button", { name: "Save schedule" }).waitFor({ state: "detached" });
    await dialog.getByText(/next on/).waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await page.locator("nav button", { hasText: "Unsent drafts" }).press("Enter");
    const ready = page.getByRole("region", { name: "1 recurring draft is ready" });
    await ready.getByRole("button", { name: new RegExp(RENT) }).waitFor();
    await takeScreenshot(page, "recurring-en-light");
    await ready.getByRole("button", { name: new RegExp(RENT) }).press("Enter");
    await page.locator("#editor-title").waitFor();
    // Asked again, the date has its draft: no second one is made.
    const { binding } = await invoke("watch", { after: 0 });
    const { ready: again } = await invoke("recurring_drafts", { binding });
    assert.equal(again.length, 1);
  });

  await test("a template is deleted, and comes back", async () => {
    await fromTemplate();
    await dialog.getByRole("button", { name: new RegExp(`Delete .*${CLEANING}`) }).press("Enter");
    await dialog
      .getByText(/ is deleted/)
      .first()
      .waitFor();
    await page.waitForFunction(() => document.activeElement?.textContent === "Undo");
    await page.keyboard.press("Enter");
    await dialog.getByRole("button", { name: new RegExp(`Delete .*${CLEANING}`) }).waitFor();
    await waitForFocus(page);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
  });

  const openTemplates = async () => {
    await fromTemplate();
    await dialog.getByRole("listitem").nth(1).waitFor();
  };
  const templates = { name: "templates", claim: "are accessible at every width" };
  await inEachAppearance(test, { page, invoke, setPreferences }, templates, openTemplates, async (appearance) => {
    await assertAccessibleAtEveryWidth(page, "the templates", appearance);
    await takeScreenshot(page, `templates-${appearance.language}-${appearance.theme}`);
  });
  assert.deepEqual(errors, []);
  await close();
}
