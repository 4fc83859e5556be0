// Browser tests of organizations that refuse something: one without a tenant, and one in which the user only reads.

import assert from "node:assert/strict";
import { settled, takeScreenshot } from "./browser.mjs";
import { emptyDraft } from "./documents.mjs";
import { assertAccessibleInEachAppearance } from "./each-appearance.mjs";
import { HOME } from "./window-flow.mjs";

export async function organizationsTests({ page, invoke, test, button, switcherOf, homeIsShown }) {
  await test("an organization without a tenant shows the error with support details and offers the others", async () => {
    await homeIsShown();
    await page.keyboard.press("Control+o");
    await page.getByRole("listbox").waitFor();
    await page.keyboard.type("administrator");
    const none = "No organization of yours has this name.";
    await page.getByRole("dialog").getByText(none).waitFor();
    await page.locator("[data-live-announcer]").filter({ hasText: none }).waitFor({ state: "attached" });
    await page.keyboard.press("Control+a");
    const organizations = await invoke("organizations");
    const unresolvable = organizations.find(({ roles }) => roles.includes("administrator"));
    await page.keyboard.type(unresolvable.domain);
    await page.keyboard.press("Enter");
    await page.getByText("is not available right now. Your other organizations are.").first().waitFor();
    await page
      .getByText(/Trying again in/)
      .first()
      .waitFor();
    await button("Copy support details").waitFor();
    await assertAccessibleInEachAppearance({ page, invoke }, "unavailable organization");
    await takeScreenshot(page, "unavailable-en-light");
    await button("Switch organization").first().click();
    await page.getByRole("option", { name: new RegExp(HOME) }).click();
    await switcherOf(HOME).waitFor();
    await page.locator('[data-index="0"] [data-column=gross]').waitFor();
  });

  await test("a viewer is offered no new invoice, and is told what is missing for a draft of before", async () => {
    const organizations = await invoke("organizations");
    const viewed = organizations.find(({ roles }) => roles.includes("viewer"));
    await invoke("switch_organization", { organization: viewed.id });
    await switcherOf(viewed.name).waitFor();
    await page.getByRole("grid").or(page.getByText("has no invoices yet")).first().waitFor();
    await page.getByRole("button", { name: /^New invoice/ }).waitFor({ state: "detached" });
    await page.keyboard.press("Control+n");
    // A form that opens is loaded first.
    await settled(page);
    assert.equal(await page.locator("#editor-title").count(), 0);
    // As one that was begun before the role was taken away.
    const { binding } = await invoke("watch", { after: 0 });
    await emptyDraft(invoke, binding);
    await page
      .getByRole("navigation")
      .getByRole("button", { name: /drafts/ })
      .click();
    await page.locator("main ul button").first().click();
    await page.getByLabel("Name in English").fill("Hilal Pharmacy");
    await page.locator('[data-cell="description.en"]').fill("Delivery");
    await page.locator('[data-cell="unitPrice"]').fill("10");
    // The end of the form is shown, and the notice stands above it.
    const size = page.viewportSize();
    await page.setViewportSize({ ...size, height: 500 });
    await page.getByLabel("Note to the buyer", { exact: true }).scrollIntoViewIfNeeded();
    await page.keyboard.press("Control+Enter");
    const denied = page.getByText(/You may not .*create invoices.* with your current role\. Your work is kept\./);
    await denied.first().waitFor();
    const request = button("Copy a request for your administrator");
    await request.waitFor();
    await page.waitForFunction(
      (element) => element.getBoundingClientRect().top > document.querySelector("main header").getBoundingClientRect().bottom,
      await request.elementHandle(),
    );
    await page.setViewportSize(size);
    await assertAccessibleInEachAppearance({ page, invoke }, "permission denied");
    await takeScreenshot(page, "denied-en-light");
    await page.keyboard.press("Control+o");
    await page.getByRole("option", { name: new RegExp(HOME) }).click();
    await switcherOf(HOME).waitFor();
  });
}
