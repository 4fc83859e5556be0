// Browser tests of exports with the real core and service, by keyboard: the list of a filter and a selection become files, one that cannot be
// written says so, and one that is under way can be cancelled. `ui-host` saves under the suggested name in the folder `saved`.

import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { documentsOf, line, searchList } from "./documents.mjs";
import { assertAccessibleInEachAppearance } from "./each-appearance.mjs";
import { faultsOf, startHost } from "./own-host.mjs";
import { signedInPage, waitForFocus } from "./signed-in.mjs";
import { inSequence } from "./window-flow.mjs";

const EXPORT = "POST /api/v2/documents:export";

export async function exportsTests(test, browser) {
  const host = await startHost(["--faults"]);
  try {
    await exports(test, browser, host.address, join(host.data, "saved"));
  } finally {
    await host.stop();
  }
}

async function exports(run, browser, host, saved) {
  const test = inSequence(run);
  const { page, errors, close, invoke } = await signedInPage(browser, host, "noura@alkhair.example");
  const { create } = documentsOf(invoke);
  const faults = faultsOf(host);
  const state = (name) => page.locator(`[data-export=${name}]`);
  const keepsFocus = () => waitForFocus(page);
  const files = (ending) => readdirSync(saved).filter((name) => name.endsWith(ending));
  /** Chooses a format, the first one or the second, in the menu of its key. */
  const choose = async (format) => {
    await page.keyboard.press("Control+Shift+E");
    await page.getByRole("menuitem").first().and(page.locator(":focus")).waitFor();
    if (format === "xlsx") await page.keyboard.press("ArrowDown");
    await page
      .getByRole("menuitem", { name: /CSV|Excel/ })
      .and(page.locator(":focus"))
      .waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("menu").waitFor({ state: "detached" });
  };
  const closeLine = async (name) => {
    await state(name)
      .getByRole("button", { name: /^(Close|إغلاق): / })
      .press("Enter");
    await state(name).waitFor({ state: "detached" });
    await keepsFocus();
  };

  mkdirSync(saved, { recursive: true });

  await test("a list that is filtered is exported as CSV with exactly its documents", async () => {
    for (const [index, price] of ["100", "200", "300"].entries()) {
      await create(`Quay Partners, ${index + 1}`, [line("Paper", "1", price)]);
    }
    await page.reload();
    await searchList(page, "Quay Partners", 3);
    await page.getByRole("button", { name: "Export all" }).waitFor();
    await choose("csv");
    await state("finished")
      .getByText(/invoices-.*\.csv\W* is complete, with \W*3\W* documents\./)
      .waitFor();
    const [file] = files(".csv");
    const rows = readFileSync(join(saved, file), "utf8").trim().split(/\r?\n/);
    assert.equal(rows.length, 4, "a row of names, and one for each document");
    for (const [index, gross] of ["115.00", "230.00", "345.00"].entries()) {
      const row = rows.find((text) => text.includes(`"Quay Partners, ${index + 1}"`));
      assert.ok(row?.includes(gross), `${gross} in: ${row}`);
    }
    await closeLine("finished");
  });

  await test("a selection is exported as a workbook", async () => {
    await searchList(page, "Quay Partners", 3);
    await page.keyboard.press(" ");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press(" ");
    await page
      .getByText(/2\W* selected/)
      .first()
      .waitFor();
    await page.getByRole("button", { name: "Export", exact: true }).waitFor();
    await choose("xlsx");
    await state("finished")
      .getByText(/\.xlsx\W* is complete, with \W*2\W* documents\./)
      .waitFor();
    const [file] = files(".xlsx");
    assert.equal(readFileSync(join(saved, file)).subarray(0, 2).toString(), "PK", "a workbook is a ZIP archive");
  });

  await test("the menu of exports is accessible", async () => {
    await page.keyboard.press("Control+Shift+E");
    await page.getByRole("menuitem").first().and(page.locator(":focus")).waitFor();
    await assertAccessibleInEachAppearance({ page, invoke }, "the menu of exports", { atOneWidth: true });
    await page.keyboard.press("Escape");
    await page.getByRole("menu").waitFor({ state: "detached" });
  });

  await test("an export that cannot be written says why, and leaves no file", async () => {
    for (const name of readdirSync(saved)) rmSync(join(saved, name));
    // Nothing is selected any more.
    await page.reload();
    await searchList(page, "Quay Partners", 3);
    await faults.plan(EXPORT, "dropRequest");
    await choose("csv");
    await state("failed").getByText("could not be written. There is no half-written file.").waitFor();
    await state("failed").getByText("No connection, so the documents could not be fetched.").waitFor();
    assert.deepEqual(readdirSync(saved), []);
    await faults.clear();
    await closeLine("failed");
    rmSync(saved, { recursive: true });
    writeFileSync(saved, "a file where the folder was");
    await choose("csv");
    await state("failed").getByText("could not be written").waitFor();
    await state("failed").getByRole("alert").getByText("The folder is not there any more. Choose another place.").waitFor();
    rmSync(saved);
    mkdirSync(saved);
  });

  // A few documents are written at once: the answer about one that was written says that it is under way.
  const showStates = (states) =>
    page.route("**/commands/exports", async (route) => {
      const response = await route.fetch();
      const [one] = await response.json();
      await route.fulfill({ response, json: states.map((changed, id) => ({ ...one, error: null, ...changed, id: 1000 + id })) });
    });
  /** Waits for what is being answered: an answer cannot be given twice. */
  const showNoStates = () => page.unrouteAll({ behavior: "wait" });
  const running = { state: "running", format: "csv", file: "invoices.csv", rows: 120, total: 400 };
  const prepared = { ...running, format: "xlsx", file: "invoices.xlsx", kibibytes: 0 };

  await test("an export under way has its progress, and a button that cancels it", async () => {
    await showStates([running]);
    await page.reload();
    await state("running")
      .getByText(/invoices\.csv\W*: \W*120\W* of \W*400\W* rows/)
      .waitFor();
    const progress = state("running").getByRole("progressbar", { name: "Export" });
    assert.deepEqual(await progress.evaluate(({ value, max }) => [value, max]), [120, 400]);
    const cancelled = page.waitForRequest(/commands\/cancel_export$/);
    await state("running").getByRole("button", { name: "Cancel" }).press("Enter");
    assert.equal((await cancelled).postDataJSON().id, 1000);
    await showNoStates();
  });

  await test("the states of exports are accessible and do not overflow", async () => {
    const error = { kind: "notSaved", problem: "noSpace", reason: "no storage space" };
    const ended = ["finished", "cancelled", "interrupted"];
    const inState = (name) => ({ ...running, state: name });
    await showStates([running, prepared, ...ended.map(inState), { ...inState("failed"), error }]);
    await page.reload();
    for (const name of [...ended, "failed", "running"]) await state(name).first().waitFor();
    // The bar with the heading is loaded apart.
    await page.locator("h1").first().waitFor();
    await assertAccessibleInEachAppearance({ page, invoke }, "the states of exports");
    await showNoStates();
  });
  await test("exports caused no script error and no violation of the content security policy", () =>
    assert.deepEqual(errors, []));
  await close();
}
