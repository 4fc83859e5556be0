// Browser tests of what a tax authority says: its states in the list, with chips, views, the filter and the column, and its messages in the
// document and at the fields of the form. The demo has no authority that refuses, so the recorded answers get states here. That the service
// filters by them is tested in its own tests.

import assert from "node:assert/strict";
import { assertAccessible } from "./browser.mjs";
import { replay } from "./recorded-core.mjs";

const OPTIONS = { viewport: { width: 1400, height: 800 }, timezoneId: "Asia/Riyadh" };
/** The states of the first numbered documents, in their order. */
const STATES = ["rejected", "pending", "unanswered", "cleared", "reported"];
/** The state that comes with remarks. */
const WITH_REMARKS = "reported";
const WORDS = {
  en: {
    rejected: "Rejected",
    waiting: "At the authority",
    remarks: "Remarks",
    chips: ["Tax authority: Rejected", "Tax authority: Waiting", "Tax authority: Not answered", "Tax authority: With remarks"],
    filter: "Tax authority: Waiting, Not answered",
    authority: "Tax authority",
    send: "Send now",
    problem: /^The authority answered with status \W*503/,
    edit: "Edit",
    taxId: "Tax id",
  },
  ar: {
    rejected: "المرفوضة",
    waiting: "لدى الجهة الضريبية",
    remarks: "ملاحظات",
    chips: ["الجهة الضريبية: مرفوضة", "الجهة الضريبية: قيد الانتظار", "الجهة الضريبية: بلا رد", "الجهة الضريبية: مع ملاحظات"],
    filter: "الجهة الضريبية: قيد الانتظار، بلا رد",
    authority: "الجهة الضريبية",
    send: "إرسال الآن",
    problem: /بالحالة \W*503/,
    edit: "تعديل",
    taxId: "الرقم الضريبي",
  },
};

const WAITING = {
  state: "pending",
  messages: [],
  hasWarnings: false,
  nextAttempt: "2026-11-27T13:00:00Z",
  problem: { kind: "status", httpStatus: 503, description: "the authority answered with status 503" },
};

/** In the words of the authority: of one field, and of the whole document. */
const MESSAGE = "the VAT number of the buyer has 15 digits";
const MESSAGES = [
  { field: "buyer.taxId", path: "buyer.taxId", rule: "BR-KSA-44", description: MESSAGE },
  { field: null, path: "", rule: "", description: "the document was not accepted" },
];
const REJECTED = { state: "rejected", messages: MESSAGES, hasWarnings: false, nextAttempt: null, problem: null };

/** The recorded list with states of an authority, filtered as the service does. */
function withStates(command, args, answer) {
  if (command !== "list_invoices") return answer;
  let sent = 0;
  const rows = answer.rows.map((row) => {
    const submission = row.number === "" ? null : (STATES[sent++] ?? null);
    return {
      ...row,
      submission,
      hasWarnings: submission === WITH_REMARKS,
      ...(submission === "rejected" ? { status: "rejected", payment: null, open: "" } : {}),
    };
  });
  const { status, submission, hasWarnings } = args.query;
  const found = rows.filter(
    (row) =>
      (status.length === 0 || status.includes(row.status)) &&
      (submission.length === 0 || submission.includes(row.submission)) &&
      (!hasWarnings || row.hasWarnings),
  );
  return { ...answer, hasAuthority: true, rows: found, total: found.length };
}

/** The recorded document as one that was sent. */
function withSubmission(submission, command, answer) {
  if (command === "get_submission") return submission;
  if (command !== "get_invoice") return answer;
  const { state } = submission;
  return { ...answer, row: { ...answer.row, status: state === "rejected" ? "rejected" : "issued", submission: state } };
}

const plain = (texts) => texts.map((text) => text.replace(/[\u2066-\u2069]/g, ""));
const chips = (page) => page.locator("[role=grid] [data-submission] .visually-hidden");

/** Waits until the list has as many chips, and returns what a screen reader reads of them. */
async function chipTexts(page, count) {
  await page.waitForFunction((wanted) => document.querySelectorAll("[role=grid] [data-submission]").length === wanted, count);
  return plain(await chips(page).allTextContents());
}

export async function authorityTests(test, browser) {
  for (const [language, theme] of [
    ["en", "light"],
    ["ar", "dark"],
  ]) {
    const words = WORDS[language];
    let submission = WAITING;
    const { page, errors, close } = await replay(browser, "signedIn", { language, theme }, OPTIONS, (command, args, answer) => {
      if (command === "retry_submission") submission = REJECTED;
      if (["retry_submission", "save_draft", "notify"].includes(command)) return null;
      return withSubmission(submission, command, withStates(command, args, answer));
    });
    page.setDefaultTimeout(15_000);
    const view = (name) => page.getByRole("radio", { name, exact: true });
    await test(`authority ${language}: documents that are refused, wait or have remarks have a chip beside their status`, async () => {
      await view(words.rejected).waitFor();
      assert.deepEqual(await chipTexts(page, 4), words.chips);
      for (const width of [1400, 900, 640, 400]) {
        await page.setViewportSize({ width, height: 800 });
        await chips(page).first().waitFor({ state: "attached" });
        await assertAccessible(page, `the list at ${width} px`);
        const cut = await page.evaluate(() =>
          [...document.querySelectorAll("[role=grid] [data-submission]")].some(
            (chip) => chip.getBoundingClientRect().right > innerWidth || chip.getBoundingClientRect().left < 0,
          ),
        );
        assert.equal(cut, false, `no chip leaves the list at ${width} px`);
      }
      await page.setViewportSize(OPTIONS.viewport);
    });
    await test(`authority ${language}: the views have what is refused, what waits and what has remarks`, async () => {
      await view(words.rejected).click();
      assert.deepEqual(await chipTexts(page, 1), words.chips.slice(0, 1));
      await view(words.waiting).click();
      assert.deepEqual(await chipTexts(page, 2), words.chips.slice(1, 3));
      const chosen = page.locator("section [data-chip]");
      assert.deepEqual(plain(await chosen.allTextContents()), [words.filter]);
      await assertAccessible(page, "the view of what waits");
      await chosen.locator("xpath=following-sibling::button").click();
      assert.deepEqual(await chipTexts(page, 4), words.chips);
      await view(words.remarks).click();
      assert.deepEqual(await chipTexts(page, 1), words.chips.slice(3));
      assert.deepEqual(plain(await chosen.allTextContents()), words.chips.slice(3));
      const bar = page.locator(".views-bar");
      assert.equal(await bar.getAttribute("data-more"), null, "the last view is in sight");
      await page.setViewportSize({ width: 730, height: 800 });
      await page.keyboard.press("Alt+1");
      await page.locator(".views-bar[data-more]").waitFor();
      await page.keyboard.press("Alt+7");
      await page.locator(".views-bar:not([data-more])").waitFor();
      assert.deepEqual(await chipTexts(page, 1), words.chips.slice(3));
      await page.setViewportSize(OPTIONS.viewport);
      await view(words.rejected).click();
      await chosen.waitFor();
    });
    await test(`authority ${language}: a document that waits is sent by a key, and what the authority says of it stands at its fields`, async () => {
      const said = page.getByRole("region", { name: words.authority, exact: true });
      await page.locator("[role=grid] [data-index='0']").press("Enter");
      await said.getByRole("button", { name: words.send }).waitFor();
      await said.getByText(words.problem).waitFor();
      await assertAccessible(page, "a document that waits for the authority");
      await said.getByRole("button", { name: words.send }).press("Enter");
      await said.getByText(MESSAGE).waitFor();
      await page.locator("aside[data-detail]:focus").waitFor();
      await assertAccessible(page, "a document that the authority has rejected");
      // The demo of the pictures changes no document.
      await page.route("**/commands/open_draft", (route) => route.fulfill({ status: 500, json: { kind: "draftNotFound" } }));
      await page.locator("aside footer").getByRole("button", { name: words.edit, exact: true }).waitFor();
      await page.keyboard.press("F2");
      const field = page.locator('[data-field="buyer.taxId"]');
      await field.getByText(MESSAGE).first().waitFor();
      await assertAccessible(page, "what the authority says of a field");
      await page.getByRole("status").getByRole("button", { name: words.taxId, exact: true }).press("Enter");
      await field.locator("input:focus").waitFor();
      await page.keyboard.type("9");
      await field.getByText(MESSAGE).first().waitFor({ state: "detached" });
    });
    assert.deepEqual(errors, []);
    await close();
  }
  await test("authority: the filter offers the states, and the column takes the place of the chips", async () => {
    const { page, errors, close } = await replay(browser, "signedIn", { language: "en" }, OPTIONS, withStates);
    await chips(page).first().waitFor({ state: "attached" });
    await page.getByRole("button", { name: "Filter", exact: true }).click();
    await page.getByRole("menuitem", { name: "Tax authority" }).click();
    const cleared = page.getByRole("checkbox", { name: "Cleared" });
    await cleared.press("Space");
    await page.waitForFunction(() => document.querySelectorAll("[role=grid] [data-index]").length === 1);
    await cleared.press("Space");
    await page.waitForFunction(() => document.querySelectorAll("[role=grid] [data-index]").length > 1);
    await page.getByRole("checkbox", { name: "Only with remarks" }).press("Space");
    assert.deepEqual(await chipTexts(page, 1), ["Tax authority: With remarks"]);
    await page.getByRole("checkbox", { name: "Only with remarks" }).press("Space");
    await page.waitForFunction(() => document.querySelectorAll("[role=grid] [data-index]").length > 1);
    await cleared.press("Space");
    await page.waitForFunction(() => document.querySelectorAll("[role=grid] [data-index]").length === 1);
    await cleared.press("Escape");
    await cleared.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Columns", exact: true }).click();
    const column = page.getByRole("checkbox", { name: "Tax authority" });
    await column.press("Space");
    await column.and(page.locator(":focus:checked")).waitFor();
    await page.keyboard.press("Escape");
    await column.waitFor({ state: "detached" });
    await page.locator("[role=gridcell][data-column=submission]", { hasText: "Cleared" }).waitFor();
    await page.getByRole("radio", { name: "All", exact: true }).click();
    await page.locator("[role=gridcell][data-column=submission]", { hasText: "Rejected" }).waitFor();
    assert.equal(await chips(page).count(), 0);
    assert.deepEqual(errors, []);
    await close();
  });
  await test("authority: without one there is no chip, no view and no filter of its states", async () => {
    const { page, errors, close } = await replay(browser, "signedIn", { language: "en" }, OPTIONS);
    await page.locator("[role=grid] [data-index='0']").waitFor();
    await page.getByRole("radio", { name: "Rejected", exact: true }).waitFor();
    assert.equal(await page.getByRole("radio", { name: /authority|Remarks/ }).count(), 0);
    assert.equal(await chips(page).count(), 0);
    await page.getByRole("button", { name: "Filter", exact: true }).click();
    await page.getByRole("menuitem", { name: "Payment" }).waitFor();
    assert.equal(await page.getByRole("menuitem", { name: "Tax authority" }).count(), 0);
    assert.deepEqual(errors, []);
    await close();
  });
}
