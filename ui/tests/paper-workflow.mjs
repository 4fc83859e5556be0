// Browser tests of documents on paper and of invoice files of other programs: beside the form, in the detail, printed, saved, opened.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { assertAccessible, takeScreenshot } from "./browser.mjs";
import { assertAccessibleIn, assertAccessibleInEachAppearance, inEachAppearance } from "./each-appearance.mjs";
import { dropOn, savedName } from "./files.mjs";
import { waitForFocus } from "./signed-in.mjs";
import { pressMoreAction } from "./window-flow.mjs";

const FOREIGN = join(import.meta.dirname, "../../tests/tests/it/client/foreign_invoice.xml");

export async function paperTests({ page, test, invoke, homeIsShown, setPreferences, button }, data) {
  const dialog = page.getByRole("dialog");
  const pages = page.locator(".paper-page");
  /** Waits until the first page shows something else than `before`, and returns what it shows. */
  const nextPage = async (before) => {
    await page.waitForFunction((old) => {
      const image = document.querySelector(".paper-page");
      return image?.complete && image.naturalWidth > 0 && image.src !== old;
    }, before);
    return pages.first().getAttribute("src");
  };
  const drop = (name, bytes) => dropOn(page.locator("body"), name, bytes);

  await test("the paper beside the form follows what is typed, and typing does not wait for it", async () => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await homeIsShown();
    await page.keyboard.press("Control+n");
    await page.locator('[data-field="buyer.name.en"] :focus, [data-field="buyer.name.en"]:focus').waitFor();
    const empty = await nextPage("");
    await page.keyboard.type("Palm Press");
    const typed = await nextPage(empty);
    await page.keyboard.press("F6");
    await page.keyboard.type("Letterheads");
    await page.keyboard.press("Tab");
    await page.keyboard.type("200");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await page.keyboard.type("2.50");
    await nextPage(typed);
    await page.locator('[data-row="0"] [data-cell="unitPrice"]:focus').waitFor();
  });

  await test("the paper is larger, in another language, hidden and shown again by keyboard", async () => {
    const width = () => pages.first().evaluate((image) => image.getBoundingClientRect().width);
    const before = [await pages.first().getAttribute("src"), await width()];
    await button("Larger").press("Enter");
    await page.waitForFunction((old) => document.querySelector(".paper-page").getBoundingClientRect().width > old, before[1]);
    await button("Smaller").press("Enter");
    const pane = page.getByRole("complementary", { name: "Printed document" });
    await pane.getByRole("button", { name: /Language of the paper/ }).press("Enter");
    await page.getByRole("option", { name: "Arabic", exact: true }).press("Enter");
    await nextPage(before[0]);
    await assertAccessible(page, "paper beside the form");
    await takeScreenshot(page, "paper-beside-en-light");
    await page.keyboard.press("Control+Shift+p");
    await pane.waitFor({ state: "detached" });
    // The button of the header does the same.
    const shows = page.locator("main header").getByRole("button", { name: "Printed document" });
    assert.equal(await shows.getAttribute("aria-pressed"), "false");
    await shows.press("Enter");
    await pane.waitFor();
    assert.equal(await shows.getAttribute("aria-pressed"), "true");
    await nextPage("");
    // Narrow: the same key opens it in a dialog.
    await page.setViewportSize({ width: 480, height: 800 });
    await pane.waitFor({ state: "detached" });
    await page.keyboard.press("Control+Shift+p");
    await dialog.waitFor();
    await nextPage("");
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.keyboard.press("Control+Enter");
    await page.getByRole("complementary").getByText("Palm Press").first().waitFor();
  });

  await test("a document on paper is printed alone, one page for each of its own", async () => {
    await page.keyboard.press("Control+Shift+p");
    await dialog.waitFor();
    await nextPage("");
    await assertAccessibleInEachAppearance({ page, invoke }, "document on paper");
    // Without a screen Chromium waits for ever for the dialog of the system; what would be printed is there after the call. The real
    // window prints in the tests of the window.
    await page.evaluate(() => {
      window.print = () => undefined;
    });
    await page.keyboard.press("Control+p");
    await page.locator(".print-sheet img").first().waitFor({ state: "attached" });
    const file = await page.pdf({ preferCSSPageSize: true });
    const count = file.toString("latin1").match(/\/Type\s*\/Page\b/g).length;
    assert.equal(count, await page.locator(".print-sheet img").count());
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
  });

  await test("a draft is saved as a PDF, and has no UBL before it is issued", async () => {
    await button("More", { exact: true }).press("Enter");
    const menu = page.getByRole("menu", { name: "More" });
    await menu.getByText("PDF, marked as a draft").waitFor();
    assert.equal(await menu.getByRole("menuitem", { name: /UBL/ }).getAttribute("aria-disabled"), "true");
    await menu.getByRole("menuitem", { name: "Save the PDF in both languages" }).press("Enter");
    const name = await savedName(page);
    assert.ok(
      readFileSync(join(data, "saved", name))
        .subarray(0, 5)
        .equals(Buffer.from("%PDF-")),
    );
  });

  await test("the file of somebody else is checked, with the rules in both languages, and nothing is kept", async () => {
    await drop("invoice-17.xml", readFileSync(FOREIGN));
    await dialog.getByText("Sitzgut GmbH").waitFor();
    await dialog.getByText("is neither the seller nor the buyer").waitFor();
    assert.equal(await dialog.getByRole("button", { name: "Create a draft" }).count(), 0);
    await dialog.getByText("BR-CO-15").first().waitFor();
    await dialog.locator("[lang=ar]").first().waitFor();
    await assertAccessible(page, "foreign file");
    await takeScreenshot(page, "foreign-file-en-light");
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
  });

  await test("an own file becomes a draft, with what it has not in a list", async () => {
    await page.keyboard.press("Control+Shift+i");
    await page
      .getByRole("alertdialog")
      .getByRole("button", { name: /^Issue/ })
      .press("Enter");
    await page.getByRole("alertdialog").waitFor({ state: "detached" });
    await pressMoreAction(page, /UBL/);
    const name = await savedName(page, /^Saved as .*xml/);
    await page.setInputFiles("input[type=file]", [join(data, "saved", name), FOREIGN]);
    await dialog.getByText("Not in the draft").waitFor();
    await dialog.getByText("A draft gets its number when it is issued.").waitFor();
    await assertAccessible(page, "own file");
    await dialog.getByRole("button", { name: "Create a draft" }).and(page.locator(":focus")).waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "New invoice" }).waitFor();
    assert.equal(await page.locator('[data-field="buyer.name.en"] input').inputValue(), "Palm Press");
    // The other file waits, and is opened or left out.
    const left = page.locator("#root").getByText("One invoice file is not opened yet");
    await left.waitFor();
    await button("Next file").press("Enter");
    await dialog.getByText("Sitzgut GmbH").waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await left.waitFor({ state: "detached" });
    await waitForFocus(page);
  });

  await test("pasted XML and damaged files are read as files, and say what is wrong", async () => {
    await page.evaluate(() => {
      const clipboard = new DataTransfer();
      clipboard.setData("text/plain", '<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"><cut');
      document.activeElement.dispatchEvent(
        new ClipboardEvent("paste", { clipboardData: clipboard, bubbles: true, cancelable: true }),
      );
    });
    await dialog.getByText("This file is damaged").waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await drop("scan.pdf", "%PDF-1.7 a scan");
    await dialog.getByText("has no invoice data inside").waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
  });

  await test("the draft of the file is discarded again", async () => {
    await button("Discard draft").press("Enter");
    const question = page.getByRole("alertdialog");
    await question.waitFor();
    await assertAccessibleInEachAppearance({ page, invoke }, "the question whether to discard a draft");
    await question.getByRole("button", { name: "Discard draft" }).press("Enter");
    await page.getByRole("grid").first().waitFor();
  });

  const openForeignFile = async () => {
    await page.getByRole("grid").first().waitFor();
    await drop("invoice-17.xml", readFileSync(FOREIGN));
    await dialog.getByText("BR-CO-15").first().waitFor();
  };
  const accessible = { name: "paper and files", claim: "are accessible" };
  await inEachAppearance(test, { page, invoke, setPreferences }, accessible, openForeignFile, async ({ language, theme }) => {
    await assertAccessibleIn(page, "foreign file", { language, theme });
    await takeScreenshot(page, `foreign-file-${language}-${theme}`);
  });
}
