// Browser tests of several windows: two pages of one core are two windows in two organizations. Links, pasted, dropped or followed, open in the
// window of their organization, a draft is edited in one window, and signing out reaches both.

import assert from "node:assert/strict";
import { appearances, assertAccessible, takeScreenshot, until } from "./browser.mjs";
import { searchList } from "./documents.mjs";
import { signedInPage } from "./signed-in.mjs";

const paste = (target, text) =>
  target.evaluate((value) => {
    const data = new DataTransfer();
    data.setData("text/plain", value);
    document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
  }, text);
/** Drops a text on the window, which says before that it takes it. */
const drop = (target, text) =>
  target.evaluate((value) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.setData("text/plain", value);
    for (const type of ["dragover", "drop"]) {
      const event = new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true });
      if (document.body.dispatchEvent(event)) throw new Error(`the ${type} is not taken`);
    }
  }, text);
const detail = (target) => target.getByRole("complementary");

/** The title follows the organization after what is shown of it. */
const titleIs = (target, pattern) => target.waitForFunction((text) => new RegExp(text).test(document.title), pattern);

const badgeColor = (target) => target.evaluate(() => getComputedStyle(document.querySelector("[data-badge]")).backgroundColor);

const draftOf = (number) => ({
  kind: "invoice",
  buyer: {
    name: { en: `Window Buyer ${number}`, ar: "" },
    taxId: "310298765400003",
    street: "Prince Turki Street",
    building: "7421",
    district: "Al Corniche",
    city: "Khobar",
    postalCode: "34413",
    country: "SA",
  },
  issueDate: new Date().toISOString().slice(0, 10),
  dueDate: "",
  supplyDate: "",
  currency: "SAR",
  lines: [
    {
      description: { en: "Windows", ar: "" },
      quantity: "1",
      unit: "HUR",
      unitPrice: "10",
      taxCategory: "S",
      taxRate: "15",
      exemptionCode: "",
    },
  ],
  note: "",
  noteAr: "",
  correction: null,
});

export async function windowsTests(test, browser, { host }) {
  const first = await signedInPage(browser, host, "noura@alkhair.example");
  const { page, invoke, setPreferences } = first;
  const opened = async () => (await (await fetch(`${host}/windows`)).json()).opened;
  const menu = async () => (await (await fetch(`${host}/windows`)).json()).menu?.menus ?? [];
  const menuItem = async (id) => (await menu()).flatMap(({ items }) => items).find((item) => item.id === id);
  const shown = async () => (await (await fetch(`${host}/windows`)).json()).shown;
  /** The page of the window that `open` opens. */
  const newWindow = async (open) => {
    const before = (await opened()).length;
    await open();
    await until(async () => (await opened()).length > before);
    const label = (await opened()).at(-1);
    const { page: other, errors, close } = await browser.page();
    other.setDefaultTimeout(15_000);
    await other.goto(`${host}/?window=${label}`);
    await other.locator("header button").first().waitFor();
    return { page: other, errors, close };
  };
  const follow = (address) => page.evaluate((body) => fetch("/follow", { method: "POST", body }), address);
  const organizations = await invoke("organizations");
  const home = organizations.find((each) => each.home);
  const other = organizations.find((each) => !each.home);
  await page.getByRole("button", { name: new RegExp(`${home.name}.*switch organization`) }).waitFor();

  const { binding } = await invoke("watch", { after: 0 });
  const saved = await invoke("new_draft", { binding, content: draftOf(1) });
  const { row } = await invoke("create_document", { binding, key: saved.key });
  const link = `com.invoicedesk.desktop:/documents/${home.id}/${row.key}`;

  let second;
  await test("the switcher opens another organization in a new window, whose title and colour are its own", async () => {
    await page.keyboard.press("Control+o");
    await page.getByRole("dialog").waitFor();
    await page.keyboard.type(other.name);
    await page.getByRole("option", { name: new RegExp(other.name) }).waitFor();
    await page.getByRole("button", { name: new RegExp(`Open .${other.name}. in a new window`) }).waitFor();
    await assertAccessible(page, "switcher with a new window");
    await takeScreenshot(page, "windows-switcher-en-light");
    second = await newWindow(() => page.keyboard.press("Control+Enter"));
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await second.page.getByRole("button", { name: new RegExp(`${other.name}.*switch organization`) }).waitFor();
    await titleIs(second.page, `^${other.name} – .+ – Invoice Desk$`);
    await titleIs(page, `^${home.name} – .+ – Invoice Desk$`);
    assert.notEqual(await badgeColor(page), await badgeColor(second.page));
  });

  await test("a link of another organization is refused in a window, and opens in the window of its organization", async () => {
    await paste(second.page, link);
    await second.page.getByRole("dialog", { name: "This link belongs to another organization" }).waitFor();
    await assertAccessible(second.page, "link of another organization");
    await takeScreenshot(second.page, "windows-link-en-light");
    await second.page.getByRole("button", { name: new RegExp(`Open it in .${home.name}`) }).press("Enter");
    await second.page.getByRole("dialog").waitFor({ state: "detached" });
    await detail(page).getByText("Window Buyer 1").first().waitFor();
    assert.equal((await shown()).at(-1), "main");
    assert.equal(await detail(second.page).getByText("Window Buyer 1").count(), 0);
  });

  await test("a document's link is copied with its shortcut, and opens the document where it is pasted", async () => {
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.keyboard.press("Control+Shift+c");
    await page.getByText("The link is copied").first().waitFor({ state: "attached" });
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), link);
    await page.keyboard.press("Escape");
    await detail(page).getByText("Window Buyer 1").first().waitFor({ state: "detached" });
    await page.keyboard.press("/");
    await page.keyboard.press("Control+v");
    await detail(page).getByText("Window Buyer 1").first().waitFor();
  });

  await test("a followed link to an organization without a role opens nothing and explains", async () => {
    await follow(`com.invoicedesk.desktop:/documents/274893999/${row.key}`);
    const dialog = page.getByRole("dialog", { name: "You have no role in this organization" });
    await dialog.waitFor();
    await assertAccessible(page, "link without a role");
    await takeScreenshot(page, "windows-no-role-en-light");
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await follow(`${link}?action=freeze`);
    await page.getByRole("dialog", { name: "This link cannot be opened" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
  });

  await test("a draft that is open in another window says so, and leads there", async () => {
    const third = await newWindow(() => page.keyboard.press("Control+Shift+n"));
    const draft = await invoke("new_draft", { binding, content: draftOf(2) });
    await third.page.getByRole("button", { name: "Unsent drafts" }).click();
    await third.page.getByRole("button", { name: /Window Buyer 2/ }).click();
    const notice = third.page.locator("#root").getByRole("status").filter({ hasText: "is being edited in another window" });
    await notice.waitFor();
    await assertAccessible(third.page, "draft in another window");
    await takeScreenshot(third.page, "windows-draft-en-light");
    await third.page.getByRole("button", { name: "Go to that window" }).press("Enter");
    await until(async () => (await shown()).at(-1) === "main");
    await invoke("close_draft", { binding, key: draft.key });
    await third.page.getByRole("button", { name: "Try now" }).press("Enter");
    await third.page.locator('[data-field="buyer.name.en"] input').waitFor();
    assert.deepEqual(third.errors, []);
    await third.close();
  });

  await test("a document of another window comes into the list, where selection, focus and typed text stay", async () => {
    const fourth = await newWindow(() => page.keyboard.press("Control+Shift+n"));
    const list = fourth.page;
    await list.locator("nav").getByRole("button", { name: "Invoices" }).click();
    const rowOf = (number) => list.getByRole("row").filter({ hasText: `Window Buyer ${number}` });
    await searchList(list, "Window Buyer", 1);
    await rowOf(1).locator("[data-tick]").click();
    await list.getByText("1 selected").first().waitFor();
    const field = list.getByRole("searchbox").first();
    await field.focus();
    const kept = await invoke("new_draft", { binding, content: draftOf(3) });
    await invoke("create_document", { binding, key: kept.key });
    await rowOf(3).waitFor();
    await list.getByText("1 selected").first().waitFor();
    assert.equal(await rowOf(1).getAttribute("aria-selected"), "true");
    assert.equal(await field.inputValue(), "Window Buyer");
    assert.equal(await field.evaluate((element) => element === document.activeElement), true);
    assert.deepEqual(fourth.errors, []);
    await fourth.close();
  });

  await test("the palette opens an organization in a new window, found in either language", async () => {
    const before = (await opened()).length;
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox").waitFor();
    await page.keyboard.type(`${other.name} نافذة`);
    await page.getByRole("option", { name: `Open ${other.name} in a new window` }).waitFor();
    await takeScreenshot(page, "windows-palette-en-light");
    await page.keyboard.press("Enter");
    await until(async () => (await opened()).length === before + 1);
  });

  await test("the menu bar is that of the window with the focus, in its language, with the commands that apply", async () => {
    await until(async () => (await menu()).length === 6);
    await setPreferences({ language: "ar" });
    await until(async () => (await menu())[1]?.label === "ملف");
    await until(async () => (await menuItem("newInvoice"))?.enabled === true);
    await page.keyboard.press("Control+k");
    await until(async () => (await menuItem("newInvoice"))?.enabled === false);
    await page.keyboard.press("Escape");
    await setPreferences({ language: "en" });
    await until(async () => (await menu())[1]?.label === "File");
  });

  for (const { language, theme } of appearances) {
    await test(`${language} ${theme}: a change of the language or theme reaches the other window, and the dialog of a pasted or dropped link is accessible`, async () => {
      await invoke("save_preferences", { preferences: { language, theme } });
      await second.page.locator(`html[lang=${language}][data-theme=${theme}]`).waitFor({ state: "attached" });
      await second.page.locator("header button").first().waitFor();
      // A link is refused in the same way, however it comes.
      await (language === "ar" ? drop : paste)(second.page, link);
      await second.page.getByRole("dialog").waitFor();
      await assertAccessible(second.page, `link dialog ${language} ${theme}`);
      await takeScreenshot(second.page, `windows-link-${language}-${theme}`);
      await second.page.keyboard.press("Escape");
      await second.page.getByRole("dialog").waitFor({ state: "detached" });
    });
  }

  await test("what was chosen in the palette is listed first after the page is opened again", async () => {
    await setPreferences({ language: "en" });
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox").waitFor();
    await page.keyboard.type("Unsent drafts");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Unsent drafts" }).waitFor();
    await page.reload();
    await page.locator("header button").first().waitFor();
    await page.keyboard.press("Control+k");
    await page
      .getByRole("group", { name: "Used last" })
      .getByRole("option", { name: /Unsent drafts/ })
      .waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("combobox").waitFor({ state: "detached" });
  });

  await test("signing out in one window signs out the other", async () => {
    await invoke("sign_out");
    await second.page.locator("[role=radiogroup]").waitFor();
    await titleIs(second.page, "^Invoice Desk$");
    assert.deepEqual(first.errors, []);
    assert.deepEqual(second.errors, []);
  });
  await second?.close();
  await first.close();
}
