// Browser tests of attachments with the real core: files that wait, are sent, saved and removed.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { assertAccessible, takeScreenshot } from "./browser.mjs";
import { noFilter } from "./documents.mjs";
import { assertAccessibleIn, inEachAppearance } from "./each-appearance.mjs";
import { dropOn, savedName } from "./files.mjs";
import { signedInPage, waitForFocus } from "./signed-in.mjs";

const PDF = Buffer.from("%PDF-1.7 an offer");

export async function attachmentsTests(test, browser, { host, data }) {
  const { page, errors, close, invoke, setPreferences } = await signedInPage(browser, host, "noura@alkhair.example");
  const attachments = page.getByRole("region", { name: /^(Attachments|المرفقات)$/ });
  /** A valid draft on this computer, opened in the form. */
  const openDraft = async () => {
    const { binding } = await invoke("watch", { after: 0 });
    const page1 = await invoke("list_invoices", {
      binding,
      query: { ...noFilter, status: ["issued", "frozen"], kind: ["invoice"], skip: 0, pageSize: 1 },
    });
    const { content } = await invoke("get_invoice", { binding, key: page1.rows[0].key });
    // Otherwise it would repeat that invoice.
    content.lines[0].quantity = "3";
    const draft = await invoke("new_draft", { binding, content });
    await page.keyboard.press("Escape");
    await page.locator("nav button").first().waitFor();
    await page.reload();
    return { binding, key: draft.key };
  };
  const openFirstDraft = async () => {
    await page
      .locator("nav button", { hasText: /Unsent|Drafts|مسود/ })
      .first()
      .press("Enter");
    await page.locator("main ul button").first().press("Enter");
    await page.locator("#editor-title").waitFor();
  };

  await test("files that are dropped on an unsaved invoice wait with it, and a wrong one is refused in words", async () => {
    await openDraft();
    await openFirstDraft();
    await attachments.getByText(/Up to/).waitFor();
    await dropOn(attachments, "Delivery note.pdf", PDF);
    await attachments.getByText("Not sent yet", { exact: true }).first().waitFor();
    assert.equal(await page.getByRole("dialog").count(), 0, "it is not read as an invoice");
    await dropOn(attachments, "setup.exe", Buffer.from("MZ"));
    await attachments.getByText("an invoice can contain PDF").waitFor();
    await page
      .locator("[data-attachment-input]")
      .setInputFiles({ name: "hours.csv", mimeType: "text/csv", buffer: Buffer.from("7,5\n") });
    await attachments.getByText("hours.csv").first().waitFor();
    await assertAccessible(page, "attachments in the form");
    await attachments.scrollIntoViewIfNeeded();
    await takeScreenshot(page, "attachments-form-en-light");
  });

  await test("they are sent with the invoice, saved as files, and removed after a question", async () => {
    await page.keyboard.press("Control+Enter");
    const detail = page.locator("[data-detail]");
    await detail.getByText("Delivery note.pdf").waitFor();
    await detail.getByRole("list", { name: "Attachments" }).getByText("Noura").first().waitFor();
    await detail.getByText("Not sent yet").first().waitFor({ state: "detached" });
    await detail.getByRole("button", { name: /^Save .*Delivery note/ }).press("Enter");
    const name = await savedName(detail);
    assert.ok(readFileSync(join(data, "saved", name)).equals(PDF));
    await detail.getByRole("button", { name: /^Remove .*hours/ }).press("Enter");
    const question = page.getByRole("alertdialog");
    await question.getByText("hours.csv").waitFor();
    await assertAccessible(page, "removing an attachment");
    await question.getByRole("button", { name: "Remove" }).press("Enter");
    await question.waitFor({ state: "detached" });
    await detail.getByText("The attachment is removed.").waitFor();
    await detail.getByText("hours.csv").first().waitFor({ state: "detached" });
    await waitForFocus(page);
  });

  const openDraftWithFile = async () => {
    await openDraft();
    await openFirstDraft();
    await dropOn(attachments, "عرض السعر.pdf", PDF);
    await attachments.getByText("عرض السعر.pdf").first().waitFor();
  };
  const accessible = { name: "attachments", claim: "are accessible" };
  await inEachAppearance(test, { page, invoke, setPreferences }, accessible, openDraftWithFile, async ({ language, theme }) => {
    await assertAccessibleIn(page, "attachments in the form", { language, theme });
    await attachments.scrollIntoViewIfNeeded();
    await takeScreenshot(page, `attachments-${language}-${theme}`);
    await page.locator("#editor-title").scrollIntoViewIfNeeded();
  });
  assert.deepEqual(errors, []);
  await close();
}
