// Browser tests of organizations that refuse something: one without a tenant, and one in which the user only reads.

import { join } from "node:path";
import { assertAccessible } from "./browser.mjs";
import { HOME } from "./window-flow.mjs";

export async function organizationsTests({ page, invoke, test, button, switcherOf, openHome, screenshots }) {
  await test("an organization without a tenant shows the error with support details and offers the others", async () => {
    await openHome();
    await page.keyboard.press("Control+o");
    await page.getByRole("listbox").waitFor();
    await page.keyboard.type("administrator");
    await page.getByText("No organization of yours has this name.").waitFor();
    await page.keyboard.press("Control+a");
    const organizations = await invoke("organizations");
    const unresolvable = organizations.find(({ roles }) => roles.includes("administrator"));
    await page.keyboard.type(unresolvable.domain);
    await page.keyboard.press("Enter");
    await page.getByText("is not available right now. Your other organizations are.").waitFor();
    await page
      .getByText(/Trying again in/)
      .first()
      .waitFor();
    await button("Copy support details").waitFor();
    await assertAccessible(page, "unavailable organization");
    await page.screenshot({ path: join(screenshots, "unavailable-en-light.png") });
    await button("Switch organization").first().click();
    await page.getByRole("option", { name: new RegExp(HOME) }).click();
    await switcherOf(HOME).waitFor();
    await page.locator('[data-index="0"] [data-column=gross]').waitFor();
  });

  await test("a viewer can read and gets a permission error on saving", async () => {
    const organizations = await invoke("organizations");
    const viewed = organizations.find(({ roles }) => roles.includes("viewer"));
    await invoke("switch_organization", { organization: viewed.id });
    await switcherOf(viewed.name).waitFor();
    await page.getByRole("grid").or(page.getByText("has no invoices yet")).first().waitFor();
    await page.keyboard.press("Control+n");
    await page.getByLabel("Name in English").fill("Hilal Pharmacy");
    await page.locator('[data-cell="description.en"]').fill("Delivery");
    await page.locator('[data-cell="unitPrice"]').fill("10");
    await page.keyboard.press("Control+Enter");
    await page.getByText(/You may not .*create invoices.* with your current role\. Your work is kept\./).waitFor();
    await button("Copy a request for your administrator").waitFor();
    await assertAccessible(page, "permission denied");
    await page.screenshot({ path: join(screenshots, "denied-en-light.png") });
    await page.keyboard.press("Control+o");
    await page.getByRole("option", { name: new RegExp(HOME) }).click();
    await switcherOf(HOME).waitFor();
  });
}
