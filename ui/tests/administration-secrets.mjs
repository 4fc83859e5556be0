// Tests of what the administration makes and whom an operator acts as: a machine user and a tenant, whose secrets are shown once, a token, and a
// person of another tenant. The flow of the administration runs them.

import assert from "node:assert/strict";
import { assertAccessible, fewAppearances } from "./browser.mjs";
import { assertAccessibleInEachAppearance } from "./each-appearance.mjs";

/** Of the seed: the clerk of Al-Khair Trading, and its administrator. */
const CLERK = "310000000000000002";
const ADMINISTRATOR = "310000000000000004";

/** Checks a dialog: at other widths it is laid out as the other forms are. */
const assertFormAccessible = (window, where) =>
  assertAccessibleInEachAppearance(window, where, { of: fewAppearances, atOneWidth: true });

/** Closes the dialog of secrets, as somebody who has kept them. The last of them is one, what is before it is its name. */
async function keepSecrets(page, count) {
  const dialog = page.getByRole("alertdialog");
  const values = dialog.locator("[data-secret]");
  await values.nth(count - 1).waitFor();
  const shown = await values.allInnerTexts();
  assert.equal(shown.length, count);
  await assertAccessible(page, "secrets that are shown once");
  await dialog.getByRole("button", { name: "I have kept it" }).press("Enter");
  await dialog.waitFor({ state: "detached" });
  assert.equal(await page.getByText(shown.at(-1)).count(), 0, "nothing shows it again");
}

/** In the window of an administrator of an organization, in English. */
export async function machineUserTest(test, window, openMachineUsers) {
  const { page } = window;
  await test("a machine user and its token are made by keys, and their secrets are shown once", async () => {
    const form = page.getByRole("dialog");
    const name = form.getByRole("textbox", { name: "What it is for" });
    await openMachineUsers();
    await page.getByRole("button", { name: "Add a machine user" }).press("Enter");
    await name.and(page.locator(":focus")).waitFor();
    await assertFormAccessible(window, "a new machine user");
    await name.fill("Cash register");
    await page.keyboard.press("Enter");
    await keepSecrets(page, 2);
    const row = page.getByRole("listitem").filter({ hasText: "Cash register" });
    await row.getByRole("button", { name: /^Tokens of/ }).press("Enter");
    await row.getByText("It has no personal access token.").waitFor();
    await row.getByRole("button", { name: "Make a token" }).press("Enter");
    await name.and(page.locator(":focus")).waitFor();
    await assertFormAccessible(window, "a new token");
    await name.fill("Branch in Abha");
    await page.keyboard.press("Enter");
    await keepSecrets(page, 1);
    await row.getByRole("button", { name: /^Revoke .*Branch in Abha/ }).waitFor();
    await assertAccessible(page, "a machine user with a token");
  });
}

/** In the window of an operator, in English. */
export async function tenantTest(test, window, openTenants) {
  const { page } = window;
  await test("a tenant is added by keys, and the secret of its first program is shown once", async () => {
    const form = page.getByRole("dialog");
    await openTenants();
    await page.getByRole("button", { name: "Add a tenant" }).press("Enter");
    await form.getByRole("textbox", { name: "Name in English" }).and(page.locator(":focus")).waitFor();
    await assertFormAccessible(window, "a new tenant");
    const texts = {
      "Name in English": "Marjan Trading",
      "Name in Arabic": "مرجان للتجارة",
      Domain: "marjan.example",
      "Tax id": "310175397400011",
      Street: "King Abdulaziz Road",
      City: "Jeddah",
    };
    for (const [label, text] of Object.entries(texts)) await form.getByRole("textbox", { name: label, exact: true }).fill(text);
    await page.keyboard.press("Enter");
    await keepSecrets(page, 2);
    await page.getByRole("listitem").filter({ hasText: "Marjan Trading" }).getByText("Active").waitFor();
  });
}

/** In the window of an operator, in English. */
export async function actAcrossTenantsTest(test, window, openTenants) {
  const { page } = window;
  const banner = page.locator(".impersonation-banner");
  await test("an operator acts as a clerk of another tenant by the id, as no administrator, and a key ends it", async () => {
    const form = page.getByRole("dialog");
    const id = form.getByRole("textbox", { name: "Id of the person" });
    await openTenants();
    await page.getByRole("button", { name: /^Change .?Al-Khair Trading/ }).press("Enter");
    await page.getByRole("menuitem", { name: "Act as this person…" }).press("Enter");
    await id.and(page.locator(":focus")).waitFor();
    await assertFormAccessible(window, "acting as a person of another tenant");
    await id.fill(ADMINISTRATOR);
    await page.keyboard.press("Enter");
    const refusal = form.getByText(/^You cannot act as this person/);
    await refusal.first().waitFor();
    await id.fill(CLERK);
    await page.keyboard.press("Enter");
    await banner.getByText(/Hessa.* acts as .*Salem/).waitFor();
    await page.getByRole("grid").waitFor();
    await assertAccessible(page, "acting as a person of another tenant");
    await page.keyboard.press("Control+Shift+H");
    await banner.waitFor({ state: "detached" });
    await page.locator("section[aria-labelledby=administration-title] nav button:focus").waitFor();
  });
}
