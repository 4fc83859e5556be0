// Browser tests of the settings with the real core: every section in every appearance, and what each setting does.

import assert from "node:assert/strict";
import { assertAccessibleAtEveryWidth, until } from "./browser.mjs";
import { assertAccessibleInEachAppearance, inEachAppearance } from "./each-appearance.mjs";
import { signedInPage } from "./signed-in.mjs";

/** Sections of the settings. */
const SECTIONS = 7;

export async function settingsTests(test, browser, { host }) {
  const { page, errors, close, invoke, setPreferences } = await signedInPage(browser, host, "noura@alkhair.example");
  const open = async (section) => {
    // The window listens for keys once it is drawn.
    await page.locator("header button").first().waitFor();
    await page.keyboard.press("Control+,");
    await page.locator("#settings-title").waitFor();
    await page.locator("main nav button").nth(section).click();
    await page.locator("main h2").waitFor();
  };
  const sections = { name: "settings", claim: "every section is accessible and does not overflow" };
  const openFirst = () => open(0);
  await inEachAppearance(test, { page, invoke, setPreferences }, sections, openFirst, async (appearance) => {
    for (let section = 0; section < SECTIONS; section += 1) {
      await open(section);
      await assertAccessibleAtEveryWidth(page, `section ${section}`, appearance);
    }
  });
  await test("the settings take the focus, and Escape closes them", async () => {
    await setPreferences({ language: "en" });
    await page.keyboard.press("Control+,");
    await page.locator('main nav [aria-current="true"]:focus').waitFor();
    await page.keyboard.press("Escape");
    await page.locator("#settings-title").waitFor({ state: "detached" });
  });
  await test("calendar and currency signs apply at once, and are still there after a reload", async () => {
    await setPreferences({ language: "en" });
    await open(0);
    await page.getByText("Umm al-Qura").click();
    await page.getByText("As signs:").click();
    await page.getByText(/14\d\d AH/).waitFor();
    await page.getByText("€\u00a01,500.00").waitFor();
    await until(async () => {
      const saved = await invoke("preferences");
      return saved.calendar === "ummAlQura" && saved.currency === "sign";
    });
    await page.reload();
    await open(0);
    await page.getByText(/14\d\d AH/).waitFor();
  });
  await test("rows are lower in the compact density", async () => {
    await setPreferences({ language: "en", density: "compact" });
    const row = page.locator('[role=row][data-index="1"]');
    await row.waitFor();
    assert.equal((await row.boundingBox()).height, 28);
  });
  await test("keys of a command can be changed, and those of another are refused with its name", async () => {
    await setPreferences({ language: "en" });
    await open(2);
    await page.getByRole("button", { name: /^Change the keys of .?New invoice.?$/ }).click();
    await page.locator("#new-keys:focus").waitFor();
    await page.keyboard.press("Control+d");
    await page.getByText(/These keys belong to “.?Duplicate/).waitFor();
    assert.ok(await page.getByRole("dialog").getByRole("button", { name: "Save" }).isDisabled());
    await assertAccessibleInEachAppearance({ page, invoke }, "the dialog of new keys");
    await page.keyboard.press("F9");
    await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
    // While it is open it keeps the keys to itself.
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.keyboard.press("F9");
    await page.getByRole("heading", { name: "New invoice" }).waitFor();
    await open(2);
    await page.getByRole("button", { name: /^Reset the keys of .?New invoice/ }).click();
    await until(async () => {
      const saved = await invoke("preferences");
      return Object.keys(saved.shortcuts).length === 0;
    });
  });
  await test("the zoom stays within its limits", async () => {
    await invoke("save_preferences", { preferences: { language: "en", zoom: 999 } });
    assert.equal((await invoke("preferences")).zoom, 200);
    await setPreferences({ language: "en" });
  });
  await test("the settings reported no errors", () => assert.deepEqual(errors, []));
  await close();
}
