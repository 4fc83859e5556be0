// Browser tests of bulk runs with the real core and service, by keyboard: documents are selected, issued, saved and frozen together, one that
// is refused says why and holds up none of the others, and a run is stopped and continued. `ui-host` saves in the folder `saved`.

import assert from "node:assert/strict";
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { appearances, assertAccessibleAtEveryWidth, fewAppearances, takeScreenshot } from "./browser.mjs";
import { documentsOf, line, searchList } from "./documents.mjs";
import { inEachAppearance } from "./each-appearance.mjs";
import { faultsOf, startHost } from "./own-host.mjs";
import { commandsOf, signedInPage, waitForFocus } from "./signed-in.mjs";
import { HOME, inSequence } from "./window-flow.mjs";

const ISSUE = "POST /api/v2/documents:batchIssue";
/** Documents of the long run: more than one batch. */
const MANY = 104;

const numbered = (buyer, count) => Array.from({ length: count }, (_, index) => `${buyer} ${index + 1}`);

export async function bulkTests(test, browser) {
  const host = await startHost(["--faults"]);
  try {
    await bulkRuns(test, browser, host.address, join(host.data, "saved"));
  } finally {
    await host.stop();
  }
}

async function bulkRuns(runTest, browser, host, saved) {
  const test = inSequence(runTest);
  const { page, errors, close, invoke, setPreferences } = await signedInPage(browser, host, "noura@alkhair.example");
  const { create, createAll, issue } = documentsOf(commandsOf(host));
  const faults = faultsOf(host);
  const question = page.getByRole("alertdialog");
  const run = page.getByRole("dialog");
  const strip = page.locator("[data-bulk]");
  const focused = (text) =>
    page.waitForFunction((wanted) => document.activeElement?.textContent?.replace(/[\u2066-\u2069]/g, "") === wanted, text);
  const keepsFocus = () => waitForFocus(page);
  /** Waits until the list shows as many documents of a status. */
  const rowsAre = (status, count) =>
    page.waitForFunction(
      ([word, wanted]) =>
        [...document.querySelectorAll("[role=grid] [data-index]")].filter((row) => row.textContent.includes(word)).length ===
        wanted,
      [status, count],
    );
  /** Selects all documents of a search, and asks to do something with them. */
  const askFor = async (keys, text, count) => {
    await searchList(page, text, count);
    await page.keyboard.press("Control+a");
    await page.keyboard.press(keys);
    await question.getByRole("definition").first().waitFor();
  };
  /** Checks a dialog that `show` opens after the window was opened anew, in every appearance. */
  const accessible = async (name, show, of = appearances) => {
    const check = async (appearance) => {
      await assertAccessibleAtEveryWidth(page, name, appearance);
      await takeScreenshot(page, `${name.replaceAll(" ", "-")}-${appearance.language}-${appearance.theme}`);
    };
    const claim = "is accessible and does not overflow";
    await inEachAppearance(test, { page, invoke, setPreferences }, { name, claim, of }, show, check);
    await setPreferences({ language: "en", theme: "light" });
  };
  /** Opens the dialog of the run that is above the list. */
  const showRun = async () => {
    await strip
      .getByRole("button", { name: /^(Show|عرض): / })
      .first()
      .press("Enter");
    await run.getByRole("listitem").first().waitFor();
  };

  await test("selected drafts are issued together after a question that names the organization, their number and their sum", async () => {
    await createAll(numbered("Reed Stationers", 3));
    await page.reload();
    await searchList(page, "Reed Stationers", 3);
    await page.keyboard.press(" ");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press(" ");
    await page
      .getByText(/2\W* selected/)
      .first()
      .waitFor();
    await page.keyboard.press("Control+Shift+S");
    await question.getByText(HOME).waitFor();
    await question.getByText("SAR\u00a0230.00").waitFor();
    await focused("Cancel");
    await page.keyboard.press("Tab");
    await focused("Issue 2 documents");
    await page.keyboard.press("Enter");
    await run.getByText(/2\W* documents are issued\./).waitFor();
    const results = run.getByRole("list", { name: "Documents" }).getByRole("listitem");
    await results.filter({ hasText: "Issued" }).nth(1).waitFor();
    await keepsFocus();
    await run.getByRole("button", { name: "Close and remove from the list" }).press("Enter");
    await run.waitFor({ state: "detached" });
    await strip.waitFor({ state: "detached" });
    await keepsFocus();
    await page.locator("[role=row]").filter({ hasText: "Draft" }).getByText("Reed Stationers").waitFor();
    await rowsAre("Issued", 2);
  });

  await test("all of a filter is saved as files that have the numbers, without those that have none", async () => {
    mkdirSync(saved, { recursive: true });
    await page.keyboard.press("Control+Shift+E");
    await page.getByRole("menuitem").first().and(page.locator(":focus")).waitFor();
    await page.keyboard.press("End");
    await page.getByRole("menuitem", { name: "Save as UBL…" }).and(page.locator(":focus")).waitFor();
    await page.keyboard.press("Enter");
    await question.getByText("Left out, in another state").waitFor();
    await focused("Cancel");
    await page.keyboard.press("Tab");
    await focused("Choose a folder for 2 files…");
    await page.keyboard.press("Enter");
    await run.getByText(/2\W* files are in \W*saved/).waitFor();
    const names = readdirSync(saved).toSorted();
    assert.equal(names.length, 2);
    for (const name of names) {
      assert.match(name, /\.xml$/);
      await run.getByRole("listitem").filter({ hasText: name }).waitFor();
    }
    await keepsFocus();
    await run.getByRole("button", { name: "Close and remove from the list" }).press("Enter");
    await strip.waitFor({ state: "detached" });
    await keepsFocus();
  });

  await test("a selection without what can be done with it says so, and offers nothing", async () => {
    await createAll(["Draft Only Stores"]);
    await page.reload();
    await askFor("Control+Shift+G", "Draft Only Stores", 1);
    await question.getByText("No issued document is selected.").waitFor();
    assert.equal(await question.getByRole("button", { name: /Freeze/ }).count(), 0);
    await page.keyboard.press("Escape");
    await question.waitFor({ state: "detached" });
  });

  await createAll(numbered("Cedar Offices", 4));
  await create("Cedar Offices abroad", [line("Paper", "1", "100")], (content) => ({ ...content, currency: "USD" }));
  await issue(await create("Cedar Offices issued", [line("Paper", "1", "100")]));

  await accessible("the question of a bulk run", () => askFor("Control+Shift+S", "Cedar Offices", 6));

  await test("a document that is refused says why and opens from there, and the others are issued", async () => {
    await askFor("Control+Shift+S", "Cedar Offices", 6);
    await question.getByText("Left out, in another state").waitFor();
    await page.keyboard.press("Tab");
    await focused("Issue 5 documents");
    await page.keyboard.press("Enter");
    await run.getByText(/4\W* issued, \W?1\W* not/).waitFor();
    const result = run.getByRole("list", { name: "Documents" }).getByRole("listitem");
    await result.getByText("State the tax in Saudi riyals").waitFor();
    assert.equal(await result.filter({ has: page.getByRole("button") }).count(), 1, "what failed is shown first");
    await keepsFocus();
  });
  await accessible("the results of a bulk run", showRun, fewAppearances);
  await test("all results are shown beside those that failed, and a result leads to its document", async () => {
    await showRun();
    await run.getByRole("button", { name: /Only those that failed/ }).press("Enter");
    await page.getByRole("option", { name: "All documents" }).press("Enter");
    await run.getByText("Cedar Offices 4").waitFor();
    const results = run.getByRole("list", { name: "Documents" }).getByRole("listitem");
    assert.equal(await results.filter({ has: page.getByRole("button", { name: /^Open / }) }).count(), 5);
    await results
      .filter({ hasText: "abroad" })
      .getByRole("button", { name: /^Open \W*Cedar Offices abroad/ })
      .press("Enter");
    await page.getByRole("complementary").getByText("Cedar Offices abroad").first().waitFor();
    await keepsFocus();
    await strip.getByRole("button", { name: "Close" }).press("Enter");
    await strip.waitFor({ state: "detached" });
    await keepsFocus();
  });

  await test("a run that the service does not answer goes on in the background, is stopped and continued, and issues each once", async () => {
    await createAll(numbered("Juniper", MANY));
    await page.reload();
    await faults.plan(ISSUE, "dropRequest");
    await askFor("Control+Shift+S", "Juniper", MANY);
    await page.keyboard.press("Tab");
    await focused(`Issue ${MANY} documents`);
    await page.keyboard.press("Enter");
    await run.getByText(new RegExp(`Issuing: \\W?0\\W? of \\W?${MANY}`)).waitFor();
    await run.getByText(/No connection/).waitFor();
    await focused("Go on in the background");
    await page.keyboard.press("Enter");
    await run.waitFor({ state: "detached" });
    await strip.getByRole("progressbar", { name: "Issue documents" }).waitFor();
    await keepsFocus();
  });
  await accessible("a bulk run under way", showRun, fewAppearances);
  await test("a stopped run says what is left, and goes on where it was when it is continued", async () => {
    await showRun();
    await run.getByRole("button", { name: "Stop" }).press("Enter");
    await run.getByText(new RegExp(`stopped after \\W?0\\W? of \\W?${MANY}`)).waitFor();
    await keepsFocus();
    await page.keyboard.press("Escape");
    await run.waitFor({ state: "detached" });
  });
  await accessible("a stopped bulk run", showRun, fewAppearances);
  await test("a run that is continued ends, with the results in pages", async () => {
    await faults.clear();
    await strip.getByRole("button", { name: /^Continue: / }).press("Enter");
    await strip.getByText(new RegExp(`${MANY}\\W* documents are issued\\.`)).waitFor();
    await keepsFocus();
    await showRun();
    await run.getByText(`Juniper ${MANY}`, { exact: true }).waitFor();
    await run.getByRole("button", { name: "Next page" }).press("Enter");
    await run.getByText(new RegExp(`101\\W+ to \\W?${MANY}\\W? of \\W?${MANY}`)).waitFor();
    await keepsFocus();
    await run.getByRole("button", { name: "Close and remove from the list" }).press("Enter");
    await run.waitFor({ state: "detached" });
  });

  await test("nothing is done if the filter has other documents than were confirmed", async () => {
    await askFor("Control+Shift+G", "Cedar Offices", 6);
    await issue(await create("Cedar Offices late", [line("Paper", "1", "100")]));
    await page.keyboard.press("Tab");
    await focused("Freeze 5 documents for good");
    await page.keyboard.press("Enter");
    await run.getByText(/Nothing was changed: the filter now has \W?6\W? documents/).waitFor();
    await keepsFocus();
    await page.keyboard.press("Escape");
    await run.waitFor({ state: "detached" });
    await strip.getByRole("button", { name: "Close" }).press("Enter");
    await strip.waitFor({ state: "detached" });
  });

  await test("issued documents of a filter are frozen together", async () => {
    await page.reload();
    await askFor("Control+Shift+G", "Cedar Offices", 7);
    await page.keyboard.press("Tab");
    await focused("Freeze 6 documents for good");
    await page.keyboard.press("Enter");
    await run.getByText(/6\W* documents are frozen\./).waitFor();
    await run.getByRole("button", { name: "Close and remove from the list" }).press("Enter");
    await run.waitFor({ state: "detached" });
    await rowsAre("Frozen", 6);
    await keepsFocus();
  });

  await test("bulk runs caused no script error and no violation of the content security policy", () =>
    assert.deepEqual(errors, []));
  await close();
}
