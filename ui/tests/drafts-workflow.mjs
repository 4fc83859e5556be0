// Browser tests of the drafts of this computer: their list, those whose files cannot be read, and one that is moved to another organization.

import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { assertAccessible, takeScreenshot } from "./browser.mjs";
import { emptyDraft } from "./documents.mjs";
import { assertAccessibleInEachAppearance } from "./each-appearance.mjs";
import { HOME } from "./window-flow.mjs";

/** The name of a draft's file that cannot be decrypted. */
const DAMAGED = "0199f3a0-0000-7000-8000-0000000000aa.draft";

export async function draftsTests({ page, invoke, test, button, switcherOf, homeIsShown, openHome, inEveryAppearance }, data) {
  const { binding } = await invoke("watch", { after: 0 });
  const key = await emptyDraft(invoke, binding);
  await inEveryAppearance("drafts", async () => {
    await page
      .locator("nav")
      .getByRole("button", { name: /drafts|مسودات/i })
      .click();
    await page.locator("h1").waitFor();
  });

  const damagedFiles = [];
  await test("a draft that cannot be read is counted beside the drafts, with its reason", async () => {
    for (const folder of draftFolders(data)) {
      const file = join(folder, DAMAGED);
      writeFileSync(file, "cut short");
      damagedFiles.push(file);
    }
    assert.ok(damagedFiles.length > 0, "the draft of this flow has a folder");
    await openHome();
    await page
      .getByRole("navigation")
      .getByRole("button", { name: /1 draft of this computer cannot be read/ })
      .click();
    await page.getByRole("heading", { name: "1 draft of this computer cannot be read" }).waitFor();
    await page.getByText("Its file is damaged.").waitFor();
  });

  await inEveryAppearance("unreadable-drafts", async () => {
    await page
      .locator("nav")
      .getByRole("button", { name: /drafts|مسودات/i })
      .click();
    await page.locator("#unreadable-title").waitFor();
  });

  await test("a draft that cannot be read is copied, kept by default, and deleted on request", async () => {
    await homeIsShown();
    await page
      .locator("nav")
      .getByRole("button", { name: /drafts|مسودات/i })
      .click();
    await button("Save copies").click();
    const copied = await page.getByText(/1 copy is in/).innerText();
    const [, folder] = /1 copy is in (.*)\. It can hold/.exec(copied.replaceAll(/[\u2068\u2069]/g, ""));
    assert.equal(readFileSync(join(folder, DAMAGED), "utf8"), "cut short");
    const question = page.getByRole("alertdialog");
    await button(/Delete the draft of/).click();
    await question.waitFor();
    await assertAccessible(page, "deletion of an unreadable draft");
    await page.keyboard.press("Enter");
    await question.waitFor({ state: "detached" });
    assert.ok(
      damagedFiles.every((file) => existsSync(file)),
      "the draft is kept by default",
    );
    await button(/Delete the draft of/).click();
    await question.getByRole("button", { name: "Delete" }).click();
    await page.locator("#unreadable-title").waitFor({ state: "detached" });
    assert.equal(damagedFiles.filter((file) => existsSync(file)).length, damagedFiles.length - 1);
  });
  // Those of other organizations: no other flow is to find them.
  for (const file of damagedFiles) rmSync(file, { force: true });
  await invoke("discard_draft", { binding, key });

  await test("a new invoice into which nothing was typed leaves no draft when the window is loaded again", async () => {
    await openHome();
    const begun = page.waitForResponse(/commands\/new_draft$/);
    await page.keyboard.press("Control+n");
    const { key: blank } = await (await begun).json();
    await page.locator("#editor-title").waitFor();
    await openHome();
    const kept = await invoke("drafts", { binding });
    assert.ok(!kept.some((draft) => draft.key === blank));
  });

  await test("a draft of the wrong organization is moved from the palette, and the window goes along when it is asked to", async () => {
    const organizations = await invoke("organizations");
    const other = organizations.find(({ roles }) => roles.includes("clerk"));
    await openHome();
    await page.keyboard.press("Control+n");
    await page.getByLabel("Name in English").fill("Moved Buyer");
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Find a command" }).fill("move this draft");
    await page.getByRole("option", { name: "Move this draft to another organization" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("searchbox").fill(other.name);
    await dialog.getByRole("option", { name: other.name }).click();
    await dialog.getByRole("checkbox").press("Space");
    await takeScreenshot(page, "move-draft");
    await assertAccessibleInEachAppearance({ page, invoke }, "moving a draft");
    await dialog.getByRole("button", { name: /^Move to/ }).click();
    await switcherOf(other.name).waitFor();
    await page.locator("#editor-title").waitFor();
    assert.equal(await page.getByLabel("Name in English").inputValue(), "Moved Buyer");
    await button("Discard draft").click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Discard draft" }).click();
    await page.locator("#editor-title").waitFor({ state: "detached" });
    await invoke("switch_organization", { organization: binding.organization });
    await switcherOf(HOME).waitFor();
  });
}

/** The folders of all owners of drafts below a folder. */
function draftFolders(root) {
  return readdirSync(root, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isDirectory() && /^[0-9a-f]{32}$/.test(entry.name) && entry.parentPath.endsWith("drafts"))
    .map((entry) => join(entry.parentPath, entry.name));
}
