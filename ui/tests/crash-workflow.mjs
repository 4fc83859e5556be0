// Browser tests of what a loss of power leaves, with the real core and service: a bulk run, an export and an invoice that is being typed.
// The program is killed at a moment that a fault of the network holds, and started again with its folder. The service goes on.

import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { until } from "./browser.mjs";
import { documentsOf, noFilter, searchList } from "./documents.mjs";
import { faultsOf, startHost } from "./own-host.mjs";
import { commandsOf, signedInPage } from "./signed-in.mjs";
import { inSequence } from "./window-flow.mjs";

const ISSUE = "POST /api/v2/documents:batchIssue";
const EXPORT = "POST /api/v2/documents:export";
/** Documents of the run: more than one batch. */
const MANY = 104;

export async function crashTests(test, browser) {
  const service = await startHost(["--faults"]);
  const host = await startHost(["--service", service.address]);
  try {
    await crashes(test, browser, service.address, host);
  } finally {
    await host.stop();
    await service.stop();
  }
}

async function crashes(run, browser, service, host) {
  const test = inSequence(run);
  const { page, errors, close, invoke } = await signedInPage(browser, host.address, "noura@alkhair.example");
  const { createAll } = documentsOf(commandsOf(host.address));
  const saved = join(host.data, "saved");
  const faults = faultsOf(service);
  /** Kills the program, takes the faults away, and opens the window of the program that is started then. */
  const crash = async () => {
    await host.crash();
    await faults.clear();
    await page.goto(host.address);
    await page.locator("nav button").first().waitFor();
  };
  const documents = async (buyer) => {
    const { binding } = await invoke("watch", { after: 0 });
    const query = { ...noFilter, buyer, skip: 0, pageSize: 500 };
    return (await invoke("list_invoices", { binding, query })).rows;
  };

  mkdirSync(saved, { recursive: true });

  await test("a bulk run whose first batch was issued unseen goes on after a crash, and issues each once", async () => {
    await createAll(Array.from({ length: MANY }, (_, index) => `Willow ${index + 1}`));
    await page.reload();
    await faults.plan(ISSUE, "dropResponse");
    await searchList(page, "Willow", MANY);
    await page.keyboard.press("Control+a");
    await page.keyboard.press("Control+Shift+S");
    await page.getByRole("button", { name: new RegExp(`Issue \\W?${MANY}\\W? documents`) }).press("Enter");
    await page
      .getByRole("dialog")
      .getByText(/No connection/)
      .waitFor();
    await crash();
    const strip = page.locator("[data-bulk=stopped]");
    await strip.getByText(new RegExp(`Issuing was interrupted after \\W?0\\W? of \\W?${MANY}`)).waitFor();
    await strip.getByRole("button", { name: /^Continue: / }).press("Enter");
    await page
      .locator("[data-bulk=finished]")
      .getByText(new RegExp(`${MANY}\\W* documents are issued\\.`))
      .waitFor();
    const numbers = (await documents("Willow"))
      .map(({ number }) => Number(/\d+$/.exec(number)[0]))
      .toSorted((one, other) => one - other);
    assert.equal(numbers.length, MANY);
    assert.deepEqual(
      numbers,
      Array.from({ length: MANY }, (_, index) => numbers[0] + index),
      "each number is given once, and none is missing",
    );
  });

  await test("an export that a crash has interrupted leaves no file, and is started again to the same one", async () => {
    await faults.plan(EXPORT, "stallResponse");
    await searchList(page, "Willow", MANY);
    await page.keyboard.press("Control+Shift+E");
    await page.getByRole("menuitem").first().and(page.locator(":focus")).waitFor();
    await page.keyboard.press("Enter");
    await page.locator("[data-export=running]").waitFor();
    await crash();
    const interrupted = page.locator("[data-export=interrupted]");
    await interrupted.getByText("was not finished before the application ended. There is no half-written file.").waitFor();
    assert.deepEqual(readdirSync(saved), []);
    await interrupted.getByRole("button", { name: "Start again" }).press("Enter");
    await page
      .locator("[data-export=finished]")
      .getByText(new RegExp(`invoices-.*\\.csv\\W* is complete, with \\W*${MANY}\\W* documents\\.`))
      .waitFor();
    const [file, ...others] = readdirSync(saved);
    assert.deepEqual(others, []);
    const rows = readFileSync(join(saved, file), "utf8").trim().split(/\r?\n/);
    assert.equal(rows.length, MANY + 1, "a row of names, and one for each document");
  });

  await test("an invoice that was being typed is there after a crash", async () => {
    await page.keyboard.press("Control+n");
    await page.getByRole("heading", { name: "New invoice" }).waitFor();
    await page.keyboard.type("Typed before the crash");
    // The window does not say when the last key is kept, which takes milliseconds: that would only flicker.
    await until(async () => {
      const { binding } = await invoke("watch", { after: 0 });
      return (await invoke("drafts", { binding })).some(({ buyer }) => buyer.en === "Typed before the crash");
    });
    await crash();
    await page.getByRole("button", { name: "Unsent drafts" }).press("Enter");
    await page
      .getByRole("button", { name: /Typed before the crash/ })
      .first()
      .press("Enter");
    await page.getByRole("heading", { name: "New invoice" }).waitFor();
    assert.equal(await page.getByLabel("Name in English").inputValue(), "Typed before the crash");
  });

  await test("crashes caused no script error and no violation of the content security policy", () =>
    assert.deepEqual(errors, []));
  await close();
}
