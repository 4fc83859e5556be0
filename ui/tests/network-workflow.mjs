// Browser tests of what a form shows while the network loses answers between the core and the service.

import assert from "node:assert/strict";
import { assertAccessibleInEachAppearance } from "./each-appearance.mjs";
import { faultsOf, startHost } from "./own-host.mjs";
import { signedInPage } from "./signed-in.mjs";

const CREATE = "/simple/invoices/create";
const READ = "GET /api/v2/documents/*";
const CHECKED = /We could not learn whether .* received this\. It is being checked/;

export async function networkTests(test, browser) {
  const host = await startHost(["--faults"]);
  try {
    await lostAnswers(test, browser, host.address);
  } finally {
    await host.stop();
  }
}

async function lostAnswers(test, browser, host) {
  const { page, errors, close, invoke } = await signedInPage(browser, host, "noura@alkhair.example");
  const faults = faultsOf(host);
  // What is announced is beside it.
  const notice = page.locator("#root").getByText(CHECKED);
  const price = page.locator('[data-row="0"] [data-cell="unitPrice"]');
  const detail = page.locator("aside[data-detail]");

  /** Saves a new invoice of which the outcome is unknown as long as the service cannot be asked. */
  const saveInto = async (lost, buyer) => {
    await page.getByRole("button", { name: "New invoice" }).first().click();
    await page.getByLabel("Name in English").fill(buyer);
    await page.locator('[data-row="0"] [data-cell="description.en"]').fill("Printing");
    await price.fill("100");
    await faults.plan(CREATE, lost, { untilCleared: false });
    await faults.plan(READ, "dropRequest");
    await page.keyboard.press("Control+Enter");
    await notice.waitFor();
  };
  const drafts = async () => invoke("drafts", { binding: (await invoke("watch", { after: 0 })).binding });

  await test("nothing is typed into a form while its outcome is unknown, and the focus is on what can be done", async () => {
    await saveInto("dropResponse", "Lost Answer Trading");
    assert.equal(await price.isDisabled(), true);
    await page.waitForFunction(() => document.activeElement?.textContent === "Check now");
    await assertAccessibleInEachAppearance({ page, invoke }, "a form of unknown outcome");
    await page.getByRole("button", { name: "Discard draft" }).click();
    const question = page.getByRole("alertdialog");
    await question.getByRole("button", { name: "Discard draft" }).click();
    await question.getByText("Nothing was discarded").waitFor();
    await question.getByRole("button", { name: "Keep it" }).click();
    await question.waitFor({ state: "detached" });
  });

  await test("a form whose document has arrived opens it when the core has found out, without a key", async () => {
    await faults.clear();
    await detail.getByText("Lost Answer Trading").first().waitFor();
    assert.deepEqual(await drafts(), []);
    assert.equal(await notice.count(), 0);
  });

  await test("a form whose document has not arrived can be edited again, and is saved once", async () => {
    await saveInto("dropRequest", "Lost Request Trading");
    await faults.clear();
    await notice.waitFor({ state: "detached" });
    await page.waitForFunction(() => document.activeElement?.closest("[data-field]") !== null);
    await price.fill("120");
    await page.keyboard.press("Control+Enter");
    await detail.getByText("Lost Request Trading").first().waitFor();
    await detail.getByText("138.00").first().waitFor();
    assert.deepEqual(await drafts(), []);
  });

  await test("a person who does not wait asks for the outcome, and again if that fails", async () => {
    await saveInto("dropResponse", "Impatient Trading");
    await page.getByRole("button", { name: "Check now" }).press("Enter");
    const again = page.locator("[data-actions]").getByRole("button", { name: "Try now" });
    const checked = page.waitForRequest(/commands\/check_outcome$/);
    await again.press("Enter");
    await checked;
    await faults.clear();
    await detail.getByText("Impatient Trading").first().waitFor();
  });

  await test("no test of lost answers caused a script error or a violation of the content security policy", async () => {
    assert.deepEqual(errors, []);
  });
  await close();
}
