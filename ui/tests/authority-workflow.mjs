// Browser tests of the states of a tax authority in the list: chips, views, the filter and the column. The demo has no authority that refuses,
// so the recorded answers get states here. That the service filters by them is tested in its own tests.

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
  },
  ar: {
    rejected: "المرفوضة",
    waiting: "لدى الجهة الضريبية",
    remarks: "ملاحظات",
    chips: ["الجهة الضريبية: مرفوضة", "الجهة الضريبية: قيد الانتظار", "الجهة الضريبية: بلا رد", "الجهة الضريبية: مع ملاحظات"],
    filter: "الجهة الضريبية: قيد الانتظار، بلا رد",
  },
};

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
    const { page, errors, close } = await replay(browser, "signedIn", { language, theme }, OPTIONS, withStates);
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
