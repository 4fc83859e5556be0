// Browser tests of the administration with the real core and service: the operator's authorization rules, tenants, plans and tax
// authorities, and an administrator who acts as another person, in every appearance; and each section by Tab, in both languages.

import assert from "node:assert/strict";
import { actAcrossTenantsTest, machineUserTest, tenantTest } from "./administration-secrets.mjs";
import { assertAccessible, assertAccessibleAtEveryWidth, settled, takeScreenshot } from "./browser.mjs";
import { assertAccessibleIn, assertAccessibleInEachAppearance, inEachAppearance } from "./each-appearance.mjs";
import { signedInPage } from "./signed-in.mjs";
import { walkByTab } from "./tab-walk.mjs";
import { pressMoreAction } from "./window-flow.mjs";

/** A viewer does not hold it, and nobody but viewers would gain it. */
const SCOPE = "Service.Simple.Invoices.v1.Modify.Freeze";

/** The place of the audit among the sections of an organization. */
const AUDIT = 3;

export async function administrationTests(test, browser, { host }) {
  await operatorTests(test, browser, host);
  await impersonationTests(test, browser, host);
}

const openAdministration = (page) =>
  page
    .locator("nav")
    .getByRole("button", { name: /^(Administration|الإدارة)$/ })
    .click();

/** Opens a section of the administration, by its place in the navigation, and waits until it says no more that it is being read. */
async function openSection(page, place) {
  await openAdministration(page);
  const screen = page.locator("section[aria-labelledby=administration-title]");
  const button = screen.locator("nav button").nth(place);
  await button.press("Enter");
  await button.and(page.locator("[aria-current=true]")).waitFor();
  await screen.locator("[data-administration] .pulse").first().waitFor({ state: "detached" });
}

/** Walks through a section or a dialog by Tab, in one theme of each language: a theme changes no order. */
async function walkIn(page, where, { theme }, within = "main") {
  if (theme === "light") await walkByTab(page, where, { within });
}

async function openAudit(page) {
  await openAdministration(page);
  await page.getByRole("button", { name: /^(Audit of all organizations|سجل تدقيق كل المنشآت)$/ }).click();
  await page.locator("tbody th button").first().waitFor();
}

async function operatorTests(test, browser, host) {
  const { page, errors, close, invoke, setPreferences } = await signedInPage(browser, host, "hessa@diwan.example");
  const window = { page, invoke, setPreferences };
  const button = (name) => page.getByRole("button", { name, exact: true });
  const openRules = async () => {
    await openAdministration(page);
    await page.getByRole("button", { name: /^(Authorization rules|قواعد الصلاحيات)$/ }).click();
    await page.locator("table").waitFor();
  };
  await test("an operator is offered the administration and no new invoice, which the service would refuse", async () => {
    await openAdministration(page);
    const create = page.getByRole("button", { name: /^New invoice/ });
    assert.equal(await create.count(), 0);
    await page.keyboard.press("Control+n");
    // A form that opens is loaded first.
    await settled(page);
    assert.equal(await page.getByRole("heading", { name: "New invoice" }).count(), 0);
    assert.equal(await page.getByRole("searchbox").count(), 0, "there are no documents to search");
    const offered = await page.getByRole("navigation", { name: "Sections", exact: true }).getByRole("button").allTextContents();
    assert.deepEqual(offered, ["Administration"]);
  });
  const rules = { name: "rules", claim: "are accessible and do not overflow" };
  const checkRules = async (appearance) => {
    await assertAccessibleAtEveryWidth(page, "the rules", appearance);
    if (appearance.theme !== "light") return;
    // Of the boxes of all permissions, the walk leads through those of one.
    const search = page.locator("[data-administration]").getByRole("textbox").first();
    await search.fill(SCOPE);
    await page.locator("tbody th[scope=row]").nth(1).waitFor({ state: "detached" });
    await walkIn(page, "the rules", appearance);
    await search.fill("");
    await page.locator("tbody th[scope=row]").nth(1).waitFor();
  };
  await inEachAppearance(test, window, rules, openRules, checkRules);
  const tenants = { name: "tenants", claim: "are accessible and do not overflow" };
  const openTenants = async () => {
    await openAdministration(page);
    await page.getByText("274893005").waitFor();
  };
  await inEachAppearance(test, window, tenants, openTenants, async (appearance) => {
    await assertAccessibleAtEveryWidth(page, "tenants", appearance);
    await takeScreenshot(page, `tenants-${appearance.language}-${appearance.theme}`);
    await page.getByRole("button", { name: /Andalus Textiles|الأندلس للمنسوجات/ }).click();
    await page.getByRole("menuitem", { name: /^(Tax authority…|الجهة الضريبية…)$/ }).click();
    await page.getByRole("dialog").getByRole("textbox").nth(1).waitFor();
    await assertAccessibleIn(page, "the tax authority", appearance);
    await walkIn(page, "the tax authority", appearance, "[role=dialog]");
    await takeScreenshot(page, `authority-${appearance.language}-${appearance.theme}`);
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    if (appearance.theme !== "light") return;
    for (const [place, name] of ["the tenants", "the plans"].entries()) {
      await openSection(page, place);
      await walkIn(page, name, appearance);
    }
    await openSection(page, 0);
  });
  const audit = { name: "audit", claim: "is accessible and does not overflow" };
  const openEvent = async () => {
    await openAudit(page);
    await page.locator("tbody th button").first().click();
    await page.locator("dl").waitFor();
  };
  await inEachAppearance(test, window, audit, openEvent, async (appearance) => {
    await assertAccessibleAtEveryWidth(page, "the audit", appearance);
    await takeScreenshot(page, `audit-${appearance.language}-${appearance.theme}`);
  });
  await test("a changed cell is checked, published, and taken back with the version before", async () => {
    await setPreferences({ language: "en" });
    await openRules();
    const search = page.getByRole("textbox", { name: "Find a permission" });
    await search.fill("freeze inv");
    await page.getByRole("rowheader", { name: "Freeze invoices" }).getByText(SCOPE).waitFor();
    await search.fill(SCOPE);
    await page.getByRole("checkbox", { name: /^.?Viewer.?: .?Freeze invoices.?$/ }).check();
    await page.getByText("One cell changed.").waitFor();
    await button("Check").click();
    await page.getByRole("heading", { name: "These rules can be published." }).waitFor();
    await page.getByText("One permission changes:").waitFor();
    await page.getByText(/^.?Viewer.? gains: .?Freeze invoices.?$/).waitFor();
    await page.getByText("Nobody loses a permission.").waitFor();
    await assertAccessible(page, "the result of a check");
    await page.getByRole("textbox", { name: "Why, for the list of versions" }).fill("for a test");
    await button("Publish").click();
    await page.getByText("for a test").waitFor();
    await page.getByText("Nothing changed.").waitFor();
    await page.getByRole("button", { name: /^Put in force again: version .?0.?$/ }).click();
    const question = page.getByRole("alertdialog");
    await question.getByText("with the same checks").waitFor();
    await question.getByRole("button", { name: "Cancel" }).and(page.locator(":focus")).waitFor();
    await question.getByRole("button", { name: "Put in force again" }).click();
    await question.waitFor({ state: "detached" });
    await page.getByText(/Back to version .?0/).waitFor();
  });
  await test("changed rules that are not published are there again after the application was closed", async () => {
    const cell = page.getByRole("checkbox", { name: /^.?Viewer.?: .?Freeze invoices.?$/ });
    const openCell = async () => {
      await openRules();
      await page.getByRole("textbox", { name: "Find a permission" }).fill(SCOPE);
      await cell.waitFor();
    };
    await openCell();
    const kept = page.waitForResponse((answer) => answer.url().endsWith("/save_rule_edits"));
    await cell.check();
    await page.getByText("One cell changed.").waitFor();
    await kept;
    await page.reload();
    await openCell();
    await page.getByText("One cell changed.").waitFor();
    assert.equal(await cell.isChecked(), true);
    await button("Discard changes").click();
    await page.getByText("Nothing changed.").waitFor();
    assert.equal(await cell.isChecked(), false);
  });
  await test("a plan is made and given to a tenant with a limit of its own, by the keyboard", async () => {
    await openAdministration(page);
    await button("Plans").click();
    await page.getByRole("list", { name: "Plans", exact: true }).waitFor();
    await assertAccessibleInEachAppearance({ page, invoke }, "the plans");
    await button("Add a plan").focus();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("textbox", { name: "Name in English" }).fill("Small offices");
    await dialog.getByRole("textbox", { name: "Documents a month" }).fill("-1");
    await dialog.getByText("Enter a whole number from 0, or leave the field empty.").first().waitFor();
    await dialog.getByRole("textbox", { name: "Documents a month" }).fill("100");
    await assertAccessibleInEachAppearance({ page, invoke }, "the form of a plan");
    await takeScreenshot(page, "plan-en");
    await dialog.getByRole("button", { name: "Add a plan" }).click();
    await dialog.waitFor({ state: "detached" });
    await page.getByText("Small offices").waitFor();

    await button("Tenants").click();
    await page.getByRole("textbox", { name: "Id, name or tax id" }).fill("andalus");
    await page.getByText("274893002").waitFor({ state: "detached" });
    await page.getByRole("button", { name: /Andalus Textiles/ }).click();
    await page.getByRole("menuitem", { name: "Plan and limits…" }).click();
    await dialog.getByRole("button", { name: /Plan/ }).first().click();
    await page.getByRole("option", { name: "Small offices" }).click();
    await dialog.getByRole("textbox", { name: "People" }).fill("٧");
    await assertAccessibleInEachAppearance({ page, invoke }, "the plan of a tenant");
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.waitFor({ state: "detached" });
    await page.getByRole("button", { name: /Andalus Textiles/ }).click();
    await page.getByRole("menuitem", { name: "Plan and limits…" }).click();
    assert.equal(await dialog.getByRole("textbox", { name: "People" }).inputValue(), "7");
    await dialog.getByText("Small offices").first().waitFor();
    await takeScreenshot(page, "tenant-plan-en");
    await page.keyboard.press("Escape");
  });
  await test("a tenant is disabled by its name after a question, enabled again and moves, and its history tells it in words", async () => {
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.getByRole("button", { name: /Andalus Textiles/ }).click();
    await page.getByRole("menuitem", { name: "Disable…" }).click();
    const question = page.getByRole("alertdialog");
    await question.getByRole("button", { name: "Cancel" }).and(page.locator(":focus")).waitFor();
    await question.getByRole("button", { name: /Disable .?Andalus Textiles/ }).click();
    await question.waitFor({ state: "detached" });
    const row = page.getByRole("listitem").filter({ hasText: "Andalus Textiles" });
    await row.getByText(/^Disabled/).waitFor();
    await page.getByRole("button", { name: /Andalus Textiles/ }).click();
    await page.getByRole("menuitem", { name: "Enable" }).click();
    await row.getByText(/^Active$/).waitFor();
    await page.getByRole("button", { name: /Andalus Textiles/ }).click();
    await page.getByRole("menuitem", { name: "Change…" }).click();
    const form = page.getByRole("dialog");
    await form.getByRole("textbox", { name: "City" }).fill("Abha");
    await form.getByRole("button", { name: "Save" }).click();
    await form.waitFor({ state: "detached" });
    await page.getByRole("button", { name: /Andalus Textiles/ }).click();
    await page.getByRole("menuitem", { name: "History…" }).click();
    const history = page.getByRole("dialog");
    await history.getByText("Enabled", { exact: true }).waitFor();
    await history
      .getByRole("term")
      .filter({ hasText: /^City$/ })
      .waitFor();
    await history.getByText(/ → .?Abha/).waitFor();
    await assertAccessibleInEachAppearance({ page, invoke }, "the history of a tenant");
    await page.keyboard.press("Escape");
  });
  await test("what was done is in the audit, and is found by organization, kind and person with the keyboard", async () => {
    await openAudit(page);
    const choose = async (field, option) => {
      await page.getByRole("button", { name: new RegExp(`${field}$`) }).focus();
      await page.keyboard.press("Enter");
      await page.getByRole("option", { name: option, exact: true }).click();
    };
    await choose("About", "The organization");
    await choose("What", "Tenant disabled");
    const rows = page.locator("tbody th button");
    await rows.nth(1).waitFor({ state: "detached" });
    assert.equal(await rows.first().textContent(), "Tenant disabled");
    await page.getByText("These are all events of this filter.").waitFor();
    await choose("Organization", "Andalus Textiles");
    await rows.first().waitFor();
    await rows.first().focus();
    await page.keyboard.press("Enter");
    assert.equal(await rows.first().getAttribute("aria-expanded"), "true");
    await page.getByRole("button", { name: "Copy the correlation id" }).waitFor();
    await page.getByRole("button", { name: /^Only events of .?Hessa/ }).click();
    await rows.first().waitFor();
    await choose("What", "Plan assigned");
    await page.locator("tbody th").filter({ hasText: "Plan assigned" }).first().waitFor();
    assert.equal(await page.locator("tbody").getByText("Andalus Textiles").count(), await rows.count());
    await page.getByRole("textbox", { name: "Correlation id" }).fill("no-such-request");
    await page.getByText("No event fits this filter.").waitFor();
    await assertAccessible(page, "the audit without events");
  });
  await tenantTest(test, window, () => openSection(page, 0));
  await actAcrossTenantsTest(test, window, () => openSection(page, 0));
  await test("the operator's administration reported no errors", () => assert.deepEqual(errors, []));
  await close();
}

async function impersonationTests(test, browser, host) {
  const { page, errors, close, invoke, setPreferences } = await signedInPage(browser, host, "khalid@alkhair.example");
  const banner = page.locator(".impersonation-banner");
  const window = { page, invoke, setPreferences };
  const ofOrganization = { name: "organization", claim: "its sections are accessible, and reached by Tab" };
  const openPeople = () => openSection(page, 0);
  await inEachAppearance(test, window, ofOrganization, openPeople, async (appearance) => {
    for (const [place, name] of ["people", "machine users", "the plan", "the audit", "the company details"].entries()) {
      // The events are those of the operator, without a column.
      const isAudit = place === AUDIT;
      if (isAudit && appearance.theme !== "light") continue;
      await openSection(page, place);
      if (!isAudit) await assertAccessibleIn(page, name, appearance);
      await walkIn(page, name, appearance);
    }
  });
  await test("an administrator sees the events of the own organization, and those of one person", async () => {
    await setPreferences({ language: "en" });
    await openAdministration(page);
    await page.getByRole("button", { name: "Audit", exact: true }).click();
    const rows = page.locator("tbody th button");
    await rows.first().waitFor();
    assert.equal(await page.getByRole("columnheader", { name: "Organization" }).count(), 0);
    await page.getByRole("button", { name: /Person$/ }).click();
    await page.getByRole("option", { name: /Khalid/ }).click();
    await page.locator("tbody tr").filter({ hasNotText: "Khalid" }).first().waitFor({ state: "detached" });
    await rows.first().waitFor();
    await assertAccessible(page, "the audit of an organization");
    await takeScreenshot(page, "audit-organization-en");
  });
  await test("an administrator changes the company details, and is told at the field what Saudi Arabia asks of it", async () => {
    await openAdministration(page);
    await page.getByRole("button", { name: "Company details", exact: true }).click();
    await page.getByText("Commercial registration: 1010175397").waitFor();
    await page.getByRole("button", { name: "Change the details…" }).click();
    const form = page.getByRole("dialog");
    const building = form.getByRole("textbox", { name: "Building" });
    await building.fill("742");
    await form.getByRole("button", { name: "Save" }).click();
    // Above the form, and at the field.
    await form.getByText("4 digits, as in the national address.").nth(1).waitFor();
    await assertAccessibleInEachAppearance({ page, invoke }, "the company details", { atOneWidth: true });
    await building.fill("٧٤٢٢");
    await form.getByRole("button", { name: "Save" }).click();
    await form.waitFor({ state: "detached" });
    await page.getByText("7422", { exact: true }).waitFor();
  });
  await machineUserTest(test, window, () => openSection(page, 1));
  await test("an administrator acts as a clerk after a question", async () => {
    await setPreferences({ language: "en" });
    await openAdministration(page);
    await page.getByRole("button", { name: /Change .?Salem/ }).click();
    await page.getByRole("menuitem", { name: "Act as this person…" }).click();
    const question = page.getByRole("alertdialog");
    await question.getByText("in this window only").waitFor();
    await question.getByRole("button", { name: "Act as this person" }).click();
    await banner.getByText(/Khalid.* acts as .*Salem/).waitFor();
    assert.equal(
      await page
        .locator("nav")
        .getByRole("button", { name: /^Administration$/ })
        .count(),
      0,
      "a clerk has no administration",
    );
  });
  const above = { name: "banner", claim: "is above every screen and dialog" };
  const openList = () => page.getByRole("grid").waitFor();
  await inEachAppearance(test, window, above, openList, async ({ language, theme }) => {
    // A theme is colours alone: it changes nothing at another width.
    for (const width of theme === "light" ? [1280, 320] : [1280]) {
      await page.setViewportSize({ width, height: 800 });
      await banner.waitFor();
      const box = await banner.boundingBox();
      assert.equal(Math.round(box.y), 0);
      assert.equal(Math.round(box.width), width);
      await page.locator("h1").first().waitFor();
      await assertAccessible(page, `${width} px`);
    }
    await page.setViewportSize({ width: 1280, height: 800 });
    await takeScreenshot(page, `impersonation-${language}-${theme}`);
    await page.keyboard.press("Control+/");
    await page.getByRole("dialog").waitFor();
    const covered = await banner.evaluate((element) => {
      const { left, top, width, height } = element.getBoundingClientRect();
      return !element.contains(document.elementFromPoint(left + width / 2, top + height / 2));
    });
    assert.equal(covered, false, "no dialog covers it");
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
  });
  await test("a draft is refused with the reason, and the key ends it", async () => {
    await setPreferences({ language: "en" });
    await banner.waitFor();
    assert.equal(await page.getByRole("button", { name: /^New invoice/ }).isDisabled(), true);
    await page.getByRole("row").filter({ hasText: "INV-" }).first().locator("[data-column=buyer]").click();
    await pressMoreAction(page, /^Duplicate/);
    await page.getByText("drafts and bulk runs are not available").first().waitFor();
    await assertAccessible(page, "a draft that is refused");
    // Also where a dialog is open.
    await page.keyboard.press("Control+/");
    await page.getByRole("dialog").waitFor();
    await page.keyboard.press("Control+Shift+H");
    await banner.waitFor({ state: "detached" });
    await page
      .locator("nav")
      .getByRole("button", { name: /^Administration$/ })
      .waitFor();
  });
  await test("acting as another person reported no errors", () => assert.deepEqual(errors, []));
  await close();
}
