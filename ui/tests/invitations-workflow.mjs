// Browser tests of invitations with the real core and service: an administrator invites a person, the code is shown once, and the person sets a
// password with it.

import assert from "node:assert/strict";
import { assertAccessibleInThemes, fewLanguages } from "./each-appearance.mjs";
import { signedInPage, waitForFocus } from "./signed-in.mjs";
import { walkByTab } from "./tab-walk.mjs";
import { inSequence } from "./window-flow.mjs";

const MAIL = "huda@alkhair.example";

export async function invitationsTests(run, browser, { host }) {
  const test = inSequence(run);
  const { page, errors, close, invoke, setPreferences } = await signedInPage(browser, host, "khalid@alkhair.example");
  const form = page.getByRole("dialog");
  const secret = page.getByRole("alertdialog");
  const row = page.getByRole("listitem").filter({ hasText: MAIL });
  const keepsFocus = () => waitForFocus(page);
  const openPeople = async () => {
    await page
      .locator("nav")
      .getByRole("button", { name: /^(Administration|الإدارة)$/ })
      .press("Enter");
    await page.getByRole("list", { name: /^(People|الأشخاص)$/ }).waitFor();
  };
  const invite = async () => {
    await page.getByRole("button", { name: /^(Invite|دعوة)$/ }).press("Enter");
    await form.getByRole("textbox").first().and(page.locator(":focus")).waitFor();
  };
  const shownSecrets = () => secret.locator("[data-secret]").allInnerTexts();
  let handedOver = [];

  for (const appearance of fewLanguages) {
    await test(`the invitation ${appearance.language} ${appearance.theme}: is accessible, reached by Tab, and does not overflow`, async () => {
      await setPreferences({ digits: "latin", ...appearance });
      await openPeople();
      await invite();
      await assertAccessibleInThemes({ page, invoke }, "the invitation", appearance);
      await walkByTab(page, "the invitation", { within: "[role=dialog]" });
      // From the button that closes it to the first field.
      await page.keyboard.press("Tab");
      await page.keyboard.type("H");
      await page.keyboard.press("Escape");
      await form.getByRole("status").waitFor();
      await assertAccessibleInThemes({ page, invoke }, "the question whether to discard the invitation", appearance);
      await page.keyboard.press("Escape");
      await form.waitFor({ state: "detached" });
    });
  }

  await test("a person is invited by keyboard, and what is handed over is shown in a dialog that no second Enter or Escape ends", async () => {
    await setPreferences({ language: "en", theme: "light" });
    await openPeople();
    await invite();
    await page.keyboard.type("Huda Saleh");
    await page.keyboard.press("Tab");
    await page.keyboard.type(MAIL);
    await page.keyboard.press("Enter");
    await secret.getByText("This is shown once").waitFor();
    await page.waitForFunction(() => document.activeElement?.getAttribute("aria-label")?.startsWith("Copy"));
    handedOver = await shownSecrets();
    assert.equal(handedOver.length, 3);
    assert.match(handedOver[0], /^https?:\/\//);
    assert.equal(handedOver[1], MAIL);
    await page.keyboard.press("Enter");
    await page.keyboard.press("Escape");
    await secret.getByText("Have you kept it?").waitFor();
    await secret.getByRole("button", { name: "I have kept it" }).press("Enter");
    await secret.waitFor({ state: "detached" });
    await keepsFocus();
  });

  await test("the code is shown nowhere after that, and the person is in the list as invited", async () => {
    await row.getByText("Invited").waitFor();
    await row.getByText(/Code until/).waitFor();
    assert.equal(await page.getByText(handedOver[2]).count(), 0);
    await page.reload();
    await openPeople();
    await row.getByText("Invited").waitFor();
    assert.equal(await page.getByText(handedOver[2]).count(), 0);
  });

  await test("a user name that is taken is said in the form, which keeps what was typed", async () => {
    await invite();
    await page.keyboard.type("Another Huda");
    await page.keyboard.press("Tab");
    await page.keyboard.type(MAIL);
    await page.keyboard.press("Enter");
    await form.getByText("this user name is taken", { exact: false }).waitFor();
    assert.equal(await form.getByRole("textbox").nth(1).inputValue(), MAIL);
    await keepsFocus();
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
    await form.waitFor({ state: "detached" });
  });

  for (const appearance of fewLanguages) {
    await test(`the code ${appearance.language} ${appearance.theme}: a new invitation is accessible and does not overflow`, async () => {
      await setPreferences({ digits: "latin", ...appearance });
      await openPeople();
      await row.getByRole("button").press("Enter");
      await page.getByRole("menuitem", { name: /^(Make a new invitation…|دعوة جديدة…)$/ }).press("Enter");
      await secret.getByRole("button").last().waitFor();
      await assertAccessibleInThemes({ page, invoke }, "the question before a new invitation", appearance);
      await secret.getByRole("button").last().press("Enter");
      await secret.locator("[data-secret]").nth(2).waitFor();
      await assertAccessibleInThemes({ page, invoke }, "the code", appearance);
      handedOver = await shownSecrets();
    });
  }

  await test("the person sets a password with the last code, and can sign in", async () => {
    const [address, username, code] = handedOver;
    const { page: other, close: closeOther } = await browser.page();
    await other.goto(address);
    await other.locator("input[name=username]").fill(username);
    await other.locator("input[name=code]").fill(code);
    for (const field of await other.locator("input[type=password]").all()) await field.fill("a long and new password 7");
    const answer = other.waitForResponse((response) => response.request().method() === "POST");
    await other.keyboard.press("Enter");
    assert.ok((await answer).status() < 400);
    await closeOther();
    await setPreferences({ language: "en", theme: "light" });
    await openPeople();
    await row.getByText("Can sign in").waitFor();
  });

  await test("invitations reported no errors", () => assert.deepEqual(errors, []));
  await close();
}
