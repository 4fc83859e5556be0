// Browser tests of credit notes, relations, history and conflicts with the real core: a part of an invoice is credited by keyboard,
// both documents lead to each other, the history says what was changed, and two changes of one document are merged.

import assert from "node:assert/strict";
import { assertAccessible, setSize, takeScreenshot } from "./browser.mjs";
import { documentsOf, line } from "./documents.mjs";
import { assertAccessibleIn, inEachAppearance } from "./each-appearance.mjs";
import { signedInPage, waitForFocus } from "./signed-in.mjs";
import { walkByTab } from "./tab-walk.mjs";

/** After the issue date of every document of these tests. */
const NEXT_YEAR = new Date().getUTCFullYear() + 1;

export async function historyTests(test, browser, { host }) {
  const { page, errors, close, invoke } = await signedInPage(browser, host, "noura@alkhair.example");
  const detail = page.getByRole("complementary");
  const dialog = page.getByRole("dialog");
  const { binding, create, issue } = documentsOf(invoke);
  const focused = (selector) => page.locator(`${selector}:focus, ${selector} :focus`).waitFor();

  /** A change that another window makes. */
  const change = async (key, edit) => {
    const { row, content } = await invoke("get_invoice", { binding: await binding(), key });
    const draft = { key, changes: { stamp: row.stamp, content }, content: edit(content), state: "editing" };
    await invoke("save_draft", { binding: await binding(), draft });
    return invoke("update_document", { binding: await binding(), key });
  };
  /** Opens a document by its search. */
  const open = async (text) => {
    await page.reload();
    await page.getByRole("grid").waitFor();
    await page.keyboard.press("/");
    await page.keyboard.insertText(text);
    await page.keyboard.press("Enter");
    await detail.getByRole("heading", { level: 2 }).waitFor();
    await focused("aside[data-detail]");
  };
  /** Without opening the window anew: what is shown next opens it. */
  const savePreferences = (preferences) => invoke("save_preferences", { preferences });
  /** Checks what `show` shows in a window that it opens anew, in one theme of each language by `walk` as well. A theme is colours alone. */
  const inEveryAppearance = async (name, show, walk) => {
    const check = async ({ language, theme }) => {
      await assertAccessibleIn(page, name, { language, theme });
      await takeScreenshot(page, `${name}-${language}-${theme}`);
      if (theme !== "light") return;
      await setSize(page, { width: 480, height: 800 });
      await takeScreenshot(page, `${name}-${language}-${theme}-480`);
      // What is laid out by media queries in scripts follows the width in one of the next frames.
      const fits = await page
        .waitForFunction(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth)
        .then(
          () => true,
          () => false,
        );
      await page.setViewportSize({ width: 1280, height: 800 });
      assert.ok(fits, "the window does not scroll horizontally");
      await walk?.();
    };
    const claim = "is accessible and does not overflow";
    await inEachAppearance(test, { page, invoke, setPreferences: savePreferences }, { name, claim }, show, check);
    await savePreferences({ language: "en", theme: "light" });
  };

  const original = await issue(
    await create("Palm Clinics", [
      line("Sterile gloves", "10", "100"),
      line("Face masks", "4", "25"),
      line("Delivery", "1", "50"),
    ]),
  );
  const { number } = original.row;

  await test("the lines of a credit note are ticked by keyboard, and their sum is computed beside what is left", async () => {
    await open(number);
    await detail.getByText("Nothing of it has been credited.").waitFor();
    await page.keyboard.press("Control+Shift+K");
    await dialog.getByText("SAR\u00a01,322.50").nth(1).waitFor();
    await focused("[role=dialog] label");
    // None, then the second line with half of its quantity.
    await page.keyboard.press(" ");
    await dialog.getByText("—", { exact: true }).first().waitFor();
    await page.keyboard.press("Tab");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press(" ");
    await page.keyboard.press("Tab");
    await page.keyboard.type("5");
    await dialog.getByText(/At most \W*4/).waitFor();
    await page.keyboard.press("Backspace");
    await page.keyboard.type("2");
    await dialog.getByText("SAR\u00a057.50").waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "New credit note" }).waitFor();
    await focused('[data-field="correction.reason"]');
    assert.equal(await page.locator("[data-row]").count(), 1);
    assert.equal(await page.locator('[data-row="0"] [data-cell="quantity"]').inputValue(), "2");
    const quantity = page.locator('[data-row="0"] [data-cell="quantity"]');
    await quantity.fill("100");
    await page
      .getByText(/only \W*SAR\u00a01,322\.50\W* is left to credit/)
      .first()
      .waitFor();
    await quantity.fill("2");
    await page.locator("#root").getByText("Left to credit").waitFor();
    await page.locator('[data-field="correction.reason"] input').focus();
  });

  await test("an issued credit note and its invoice lead to each other, with what is left", async () => {
    await page.keyboard.type("Damaged");
    await page.keyboard.press("Control+Shift+Enter");
    await page.getByRole("alertdialog").getByText("57.50").waitFor();
    await page.keyboard.press("Enter");
    await detail
      .getByText(/Issued.*\d:\d/)
      .first()
      .waitFor();
    const back = detail.getByRole("list", { name: "Corrects" }).getByRole("button");
    await back.getByText(number).waitFor();
    await detail.getByText("Damaged").waitFor();
    await back.press("Enter");
    await detail.getByText("Left to credit").waitFor();
    await detail.getByText("SAR\u00a01,265.00").first().waitFor();
    await focused("aside[data-detail]");
    const note = detail.getByRole("list", { name: "Credit notes" }).getByRole("button");
    await note.getByText("SAR\u00a0\u221257.50").waitFor();
    await note.press("Enter");
    await detail.getByRole("list", { name: "Corrects" }).waitFor();
    await focused("aside[data-detail]");
  });

  await inEveryAppearance("relations", async () => {
    await open(number);
    await detail.locator("[data-related]").waitFor();
    await detail.locator("[data-related]").scrollIntoViewIfNeeded();
  });

  await test("the next credit note begins with what is left of each line, and warns above what is left of the amount", async () => {
    await open(number);
    await page.keyboard.press("Control+Shift+K");
    await dialog.getByText(/Left: \W*2\W/).waitFor();
    assert.equal(await dialog.getByRole("textbox", { name: /Face masks/ }).inputValue(), "2");
    await dialog.getByText("SAR\u00a01,265.00").nth(1).waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await waitForFocus(page);
  });

  const openCreditNote = async () => {
    await open(number);
    await page.keyboard.press("Control+Shift+K");
    await dialog.locator("[data-credit-sum]").getByText(/1,265/).waitFor();
  };
  const walkCreditNote = () => walkByTab(page, "a credit note", { within: "[role=dialog]" });
  await inEveryAppearance("credit-note", openCreditNote, walkCreditNote);

  await test("a document that is credited in full says so, and offers no further note", async () => {
    const full = await issue(await create("Full Credit Stores", [line("Chairs", "2", "10")]));
    await open(full.row.number);
    await page.keyboard.press("Control+Shift+K");
    await dialog.getByText("SAR\u00a023.00").nth(1).waitFor();
    await page.keyboard.press("Enter");
    await focused('[data-field="correction.reason"]');
    await page.keyboard.type("Returned");
    await page.keyboard.press("Control+Shift+Enter");
    await page.getByRole("alertdialog").waitFor();
    await page.keyboard.press("Enter");
    await detail
      .getByText(/Issued.*\d:\d/)
      .first()
      .waitFor();
    await open(full.row.number);
    await detail.getByText("SAR\u00a00.00").first().waitFor();
    await page.keyboard.press("Control+Shift+K");
    await dialog.getByText("This document is credited in full.").waitFor();
    assert.ok(await dialog.getByRole("button", { name: /Continue/ }).isDisabled());
    await assertAccessible(page, "credited in full");
    await page.keyboard.press("Escape");
  });

  const changed = await create("Changed Often", [line("Paper", "10", "8"), line("Pens", "5", "2")]);
  await change(changed.row.key, (content) => ({
    ...content,
    dueDate: `${NEXT_YEAR}-01-31`,
    note: "Second version",
    lines: [{ ...content.lines[1], quantity: "6" }, line("Ink", "1", "90")],
  }));
  await issue(await invoke("get_invoice", { binding: await binding(), key: changed.row.key }));

  const openHistory = async () => {
    await open("Changed Often");
    await page.locator("[data-history]").press("Enter");
    await detail.locator("ol > li").nth(2).waitFor();
  };
  await test("the history says who did what, and which fields and lines a change has changed", async () => {
    await openHistory();
    const entries = detail.locator("ol > li");
    assert.equal(await entries.count(), 3);
    assert.match(await entries.nth(2).innerText(), /Created/);
    const entry = entries.nth(1);
    await entry.getByRole("button").press("Enter");
    await entry.getByText(`31 Jan ${NEXT_YEAR}`).waitFor();
    const text = (await entry.innerText()).replace(/[\u2068\u2069]/g, "");
    for (const part of [
      "Changed",
      "Noura",
      "Note to the buyer",
      "Second version",
      "Quantity, line 1",
      "Pens",
      "Added",
      "Ink 1 × 90.00",
      "Removed",
      "Paper 10 × 8.00",
    ]) {
      assert.ok(text.includes(part), `${part} in: ${text}`);
    }
    const issued = entries.nth(0);
    await issued.getByRole("button").press("Enter");
    await issued.getByText(/Number/).waitFor();
  });
  await inEveryAppearance("history", async () => {
    await openHistory();
    await detail.locator("ol > li").nth(1).getByRole("button").press("Enter");
    await detail.locator("ol dl").scrollIntoViewIfNeeded();
  });

  let contested = 0;
  /** Two changes of one document: one cell, one line and one field on both sides, and one field each that nobody else changed. */
  const openConflict = async () => {
    contested += 1;
    const buyer = `Two Editors ${contested}`;
    const { row } = await create(buyer, [line("Paper", "10", "8"), line("Pens", "5", "2")]);
    await open(buyer);
    await page.keyboard.press("F2");
    await page.locator('[data-row="0"] [data-cell="quantity"]').fill("11");
    await page.locator('[data-row="1"] [data-cell="quantity"]').fill("6");
    await page.locator('[data-field="note"] textarea').fill("Mine");
    await page.locator('[data-field="supplyDate"]').waitFor();
    // Both windows are of one account here: the draft of this one is put back.
    await page.route(
      "**/update_document",
      async (route) => {
        const mine = await invoke("open_draft", { binding: await binding(), key: row.key });
        await change(row.key, (content) => ({
          ...content,
          note: "Theirs",
          dueDate: `${NEXT_YEAR}-02-28`,
          lines: [{ ...content.lines[0], quantity: "12" }],
        }));
        await invoke("save_draft", { binding: await binding(), draft: mine });
        await route.continue();
      },
      { times: 1 },
    );
    await page.keyboard.press("Control+Enter");
    await page
      .getByRole("button", { name: /^(Compare|قارن|مقارنة)/ })
      .first()
      .click();
    await dialog.locator("[data-conflict]").nth(2).waitFor();
  };
  await test("conflicts are resolved by the keys of their sides, and the result opens in the form before it is saved", async () => {
    await openConflict();
    await focused('[data-conflict="0"]');
    await dialog.getByText(/Noura.* changed it/).waitFor();
    await dialog.getByRole("button", { name: /1 change of theirs/ }).press("Enter");
    await dialog.getByText(`28 Feb ${NEXT_YEAR}`).waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    assert.equal(await page.locator('[data-row="0"] [data-cell="quantity"]').inputValue(), "11", "nothing typed is lost");
    await page.getByRole("button", { name: "Compare" }).first().press("Enter");
    await page.locator('[data-conflict="0"] input').first().focus();
    await page.keyboard.press("2");
    await focused('[data-conflict="1"]');
    await page.keyboard.press("1");
    await focused('[data-conflict="2"]');
    await page.keyboard.press("1");
    await focused("[data-use]");
    await page.keyboard.press("Enter");
    await dialog.waitFor({ state: "detached" });
    assert.equal(await page.locator('[data-field="note"] textarea').inputValue(), "Theirs");
    assert.equal(await page.locator('[data-row="0"] [data-cell="quantity"]').inputValue(), "11");
    assert.equal(await page.locator('[data-row="1"] [data-cell="quantity"]').inputValue(), "6", "the removed line is back");
    const note = (text) =>
      page.waitForFunction((wanted) => document.querySelector('[data-field="note"] textarea').value === wanted, text);
    await page.keyboard.press("Control+z");
    await note("Mine");
    await page.keyboard.press("Control+y");
    await note("Theirs");
    await page.keyboard.press("Control+Enter");
    await detail.getByText(`28 Feb ${NEXT_YEAR}`).waitFor();
  });
  await inEveryAppearance("conflict", openConflict);

  await test("insights show a document as soon as it is issued", async () => {
    const months = page.locator('[aria-labelledby="months-title"] table');
    await page.reload();
    await page.locator("nav").getByRole("button", { name: "Insights" }).click();
    await months.first().waitFor();
    const before = (await months.allInnerTexts()).join();
    await create("Seen At Once", [line("Desk", "1", "700")]);
    // Its list does not know the draft, which another window has made.
    await page.locator("nav").getByRole("button", { name: "Invoices" }).click();
    await page.keyboard.press("/");
    await page.keyboard.insertText("Seen At Once");
    await page.keyboard.press("Enter");
    await focused("aside[data-detail]");
    // The detail has the focus before its document is there.
    await detail.getByRole("button", { name: "Issue" }).first().waitFor();
    await page.keyboard.press("Control+Shift+I");
    await page.getByRole("alertdialog").getByRole("button", { name: "Issue" }).click();
    await detail
      .getByText(/Issued.*\d:\d/)
      .first()
      .waitFor();
    await page.locator("nav").getByRole("button", { name: "Insights" }).click();
    // The time at which they were read is not in the tables.
    await page.waitForFunction((earlier) => {
      const tables = [...document.querySelectorAll('[aria-labelledby="months-title"] table')];
      return tables.length > 0 && tables.map((table) => table.innerText).join() !== earlier;
    }, before);
  });

  await test("credit notes, relations, history and conflicts reported no errors", () => assert.deepEqual(errors, []));
  await close();
}
