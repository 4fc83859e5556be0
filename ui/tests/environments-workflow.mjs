// Browser tests of environments in the settings with the real core: one is added by pasting its description, is refused with what is wrong, is
// changed, and is removed.

import assert from "node:assert/strict";
import { assertAccessibleInThemes, fewLanguages } from "./each-appearance.mjs";
import { signedInPage, waitForFocus } from "./signed-in.mjs";
import { inSequence } from "./window-flow.mjs";

const SECTION = /^(Environments|البيئات)$/;
const ADD = /^(Add an environment|إضافة بيئة)$/;
const DESCRIPTION = {
  name: "head-office",
  kind: "staging",
  authUrl: "https://id.example.com",
  baseUrl: "http://api.example.com",
  projectAudienceId: "293001",
  clientId: "invoice-desk",
  namespace: "idp",
  proxy: "direct",
  caFile: "",
};

export async function environmentsTests(run, browser, { host }) {
  const test = inSequence(run);
  const { page, errors, close, invoke, setPreferences } = await signedInPage(browser, host, "noura@alkhair.example");
  const dialog = page.getByRole("dialog");
  const field = (name) => dialog.locator(`input[name=${name}]`);
  const focused = (name) => page.locator(`[role=dialog] input[name=${name}]:focus`).waitFor();
  const row = page.getByRole("listitem").filter({ hasText: "head-office" });
  const keepsFocus = () => waitForFocus(page);
  const openSection = async () => {
    await page.locator("header button").first().waitFor();
    await page.keyboard.press("Control+,");
    await page.locator("#settings-title").waitFor();
    await page.locator("main nav").getByRole("button", { name: SECTION }).press("Enter");
    await page.getByRole("button", { name: ADD }).waitFor();
  };
  const add = async () => {
    await page.getByRole("button", { name: ADD }).press("Enter");
    await focused("name");
  };
  const change = async () => {
    await row.getByRole("button").press("Enter");
    await field("authUrl").waitFor();
  };
  /** Pastes into the element with the focus. */
  const paste = (text) =>
    page.evaluate((pasted) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData("text/plain", pasted);
      document.activeElement.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
    }, text);
  const save = () => dialog.getByRole("button", { name: /^(Save|حفظ)$/ }).press("Enter");
  const configured = async () => (await invoke("environments")).find(({ name }) => name === DESCRIPTION.name)?.config;

  for (const appearance of fewLanguages) {
    await test(`environments ${appearance.language} ${appearance.theme}: the form and what is wrong in it are accessible and do not overflow`, async () => {
      await setPreferences({ digits: "latin", ...appearance });
      await openSection();
      await add();
      await assertAccessibleInThemes({ page, invoke }, "the form of an environment", appearance);
      await paste(JSON.stringify({ ...DESCRIPTION, name: "Head Office", proxy: "nowhere" }));
      await save();
      await page.locator("[role=dialog] input[name=name][aria-invalid=true]").waitFor();
      await assertAccessibleInThemes({ page, invoke }, "what is wrong with an environment", appearance);
    });
  }

  await test("a description that is pasted fills the form, and what is wrong is said at its field", async () => {
    await setPreferences({ language: "en", theme: "light" });
    await openSection();
    await add();
    await paste(JSON.stringify(DESCRIPTION));
    assert.equal(await field("clientId").inputValue(), "invoice-desk");
    assert.equal(await field("proxy").inputValue(), "direct");
    await page.keyboard.press("Enter");
    await dialog.getByText("Only https is safe here.").first().waitFor();
    await focused("baseUrl");
    await page.keyboard.press("Control+a");
    await page.keyboard.type("https://api.example.com");
    await page.keyboard.press("Enter");
    await dialog.waitFor({ state: "detached" });
    await row.getByText("id.example.com").waitFor();
    await row.getByText("Staging").waitFor();
    await keepsFocus();
    assert.deepEqual(await configured(), { ...DESCRIPTION, baseUrl: "https://api.example.com" });
  });

  await test("a name that is taken is refused, and what was typed is not discarded without a question", async () => {
    await add();
    await paste(JSON.stringify({ ...DESCRIPTION, baseUrl: "https://other.example.com" }));
    await save();
    await dialog.getByText("Another environment has this name.").first().waitFor();
    await focused("name");
    await page.keyboard.press("Escape");
    await dialog.getByText("This is not saved yet.").waitFor();
    await keepsFocus();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await keepsFocus();
    assert.equal((await configured()).baseUrl, "https://api.example.com");
  });

  await test("an environment is changed, but not its name, and is there after a reload", async () => {
    await change();
    assert.equal(await field("name").getAttribute("readonly"), "");
    await field("clientId").fill("desk-of-head-office");
    await page.keyboard.press("Enter");
    await dialog.waitFor({ state: "detached" });
    await keepsFocus();
    await page.reload();
    await openSection();
    await row.waitFor();
    assert.equal((await configured()).clientId, "desk-of-head-office");
  });

  for (const appearance of fewLanguages) {
    await test(`environments ${appearance.language} ${appearance.theme}: the list and the question before removing are accessible and do not overflow`, async () => {
      await setPreferences({ digits: "latin", ...appearance });
      await openSection();
      await row.waitFor();
      await assertAccessibleInThemes({ page, invoke }, "the list of environments", appearance);
      await change();
      await dialog.getByRole("button", { name: /^(Remove|إزالة)$/ }).press("Enter");
      await dialog.getByRole("status").first().waitFor();
      await assertAccessibleInThemes({ page, invoke }, "the question before removing", appearance);
    });
  }

  await test("an environment is removed by a second press, with the focus in the settings", async () => {
    await setPreferences({ language: "en", theme: "light" });
    await openSection();
    await change();
    await dialog.getByRole("button", { name: "Remove", exact: true }).press("Enter");
    await dialog.getByText("Removing takes it off this list only.").waitFor();
    await page.keyboard.press("Enter");
    await dialog.waitFor({ state: "detached" });
    await row.waitFor({ state: "detached" });
    await keepsFocus();
    assert.equal(await configured(), undefined);
  });

  await test("the environment in use can be neither changed nor removed", async () => {
    const used = page.getByRole("listitem").filter({ hasText: "In use" });
    await used.getByText("Practice").first().waitFor();
    assert.equal(await used.getByRole("button").count(), 0);
  });

  await test("environments reported no errors", () => assert.deepEqual(errors, []));
  await close();
}
