// Browser tests of the administration with the real core and service: the operator's authorization rules, from an edited cell to a
// published version and back, in every appearance.

import assert from "node:assert/strict";
import { appearancesWithContrast, assertAccessibleAtEveryWidth } from "./browser.mjs";
import { signedInPage } from "./signed-in.mjs";

/** A viewer does not hold it, and nobody but viewers would gain it. */
const SCOPE = "Service.Simple.Invoices.v1.Modify.Freeze";

export async function administrationTests(test, browser, { host }) {
  const { page, errors, close, setPreferences } = await signedInPage(browser, host, "hessa@diwan.example");
  const button = (name) => page.getByRole("button", { name, exact: true });
  const open = async () => {
    await page
      .locator("nav")
      .getByRole("button", { name: /^(Administration|الإدارة)$/ })
      .click();
    await page.locator("table").waitFor();
  };
  for (const appearance of appearancesWithContrast) {
    await test(`rules ${appearance.language} ${appearance.theme}: are accessible and do not overflow`, async () => {
      await setPreferences(appearance);
      await open();
      await assertAccessibleAtEveryWidth(page, "rules", appearance);
    });
  }
  await test("a changed cell is checked, published, and taken back with the version before", async () => {
    await setPreferences({ language: "en" });
    await open();
    await page.getByRole("textbox", { name: "Find a permission" }).fill(SCOPE);
    await page.getByRole("checkbox", { name: new RegExp(`^.?Viewer.?: .?${SCOPE}.?$`) }).check();
    await page.getByText("One cell changed.").waitFor();
    await button("Check").click();
    await page.getByText("These rules can be published.").waitFor();
    await page.getByText("One permission changes:").waitFor();
    await page.getByText("Nobody loses a permission.").waitFor();
    await assertAccessible(page, "the result of a check");
    await page.getByRole("textbox", { name: "Why, for the list of versions" }).fill("for a test");
    await button("Publish").click();
    await page.getByText("for a test").waitFor();
    await page.getByText("Nothing changed.").waitFor();
    await page.getByRole("button", { name: /^Put in force again: version .?0.?$/ }).click();
    const question = page.getByRole("alertdialog");
    await question.getByText("with the same checks").waitFor();
    assert.equal(await page.evaluate(() => document.activeElement?.textContent), "Cancel");
    await question.getByRole("button", { name: "Put in force again" }).click();
    await question.waitFor({ state: "detached" });
    await page.getByText(/Back to version .?0/).waitFor();
  });
  await test("the administration reported no errors", () => assert.deepEqual(errors, []));
  await close();
}
