// Browser tests of saved views and of the columns of the list with the real core, by keyboard: a view is kept, opened, renamed and deleted, and
// which columns there are is kept for each organization.

import assert from "node:assert/strict";
import { appearances, assertAccessibleAtEveryWidth, fewAppearances } from "./browser.mjs";
import { inEachAppearance } from "./each-appearance.mjs";
import { waitForFocus } from "./signed-in.mjs";
import { HOME } from "./window-flow.mjs";

const COLUMNS = /^(Columns|الأعمدة)$/;

export async function viewsTests({ page, test, button, switcherOf, setPreferences, homeIsShown, openHome, invoke }) {
  const dialog = page.getByRole("dialog");
  const views = page.getByRole("radiogroup", { name: /^(Views|طرق العرض)$/ });
  const view = (name) => views.getByRole("radio", { name });
  const shown = (name) => views.locator("[aria-checked=true]").filter({ hasText: name }).waitFor();
  const heads = () =>
    page.locator("[role=columnheader][data-column]").evaluateAll((all) => all.map((head) => head.dataset.column));
  const headsAre = (names) =>
    page.waitForFunction(
      (wanted) =>
        [...document.querySelectorAll("[role=columnheader][data-column]")].map((head) => head.dataset.column).join() === wanted,
      names.join(),
    );
  /** What the core has stored of the organization that is shown. */
  const stored = async () => invoke("list_settings", { binding: (await invoke("watch", { after: 0 })).binding });
  const isStored = async (fits) => {
    const until = Date.now() + 5_000;
    while (!fits(await stored())) assert.ok(Date.now() < until, `stored: ${JSON.stringify(await stored())}`);
  };
  /** Opens the view of the user by its key, once it is in the bar. */
  const openOwn = async (name) => {
    await view(new RegExp(name)).waitFor();
    await page.keyboard.press("Alt+6");
    await shown(name);
  };
  const openMenu = async (name) => {
    await button(new RegExp(`^Actions on the view \\W*${name}`)).press("Enter");
    await page.getByRole("menuitem").first().and(page.locator(":focus")).waitFor();
  };
  const filterFrozen = async () => {
    await page.keyboard.press("Control+f");
    await page.getByRole("menuitem", { name: "Status" }).press("Enter");
    await page.getByRole("checkbox", { name: "Frozen" }).press(" ");
    await page.keyboard.press("Escape");
    await button(/Status.*Frozen/)
      .first()
      .waitFor();
  };
  const inAppearances = async (of, name, show) => {
    const showAll = async (appearance) => {
      await views.waitFor();
      await show(appearance);
    };
    const check = (appearance) => assertAccessibleAtEveryWidth(page, name, appearance);
    const claim = "is accessible and does not overflow";
    await inEachAppearance(test, { page, invoke, setPreferences }, { name, claim, of }, showAll, check);
    // The next test opens the window anew.
    await invoke("save_preferences", { preferences: { language: "en", theme: "light", digits: "latin" } });
  };

  await test("a filter and a search are kept as a view under a name", async () => {
    await homeIsShown();
    await views.waitFor();
    await filterFrozen();
    await page.keyboard.press("/");
    await page.keyboard.type("a");
    await button("Save this view").press("Enter");
    await dialog.getByRole("textbox", { name: "Name of the view" }).and(page.locator(":focus")).waitFor();
    await page.keyboard.type("Closed books");
    await page.keyboard.press("Enter");
    await dialog.waitFor({ state: "detached" });
    await shown("Closed books");
    assert.equal(await button("Save this view").count(), 0);
    await waitForFocus(page);
    await isStored(({ views: [saved] }) => saved?.name === "Closed books");
  });

  await test("after the window was opened again the view is there, and is opened by its key with its filter and search", async () => {
    await openHome();
    await shown("All");
    await openOwn("Closed books");
    await button(/Status.*Frozen/)
      .first()
      .waitFor();
    assert.equal(await page.getByRole("searchbox").first().inputValue(), "a");
    await page.keyboard.press("Alt+1");
    await shown("All");
    assert.equal(await page.getByRole("searchbox").first().inputValue(), "", "the search goes with the view");
  });

  await test("a view is renamed, and takes over what was changed in it", async () => {
    await openOwn("Closed books");
    await openMenu("Closed books");
    await page.getByRole("menuitem", { name: "Rename" }).press("Enter");
    const name = dialog.getByRole("textbox", { name: "Name of the view" });
    await name.and(page.locator(":focus")).waitFor();
    await page.keyboard.press("Control+a");
    await page.keyboard.type("Frozen books");
    await page.keyboard.press("Enter");
    await dialog.waitFor({ state: "detached" });
    await shown("Frozen books");
    await page.locator("[role=columnheader][data-column=gross] button").press("Enter");
    await view(/Frozen books.*changed/).waitFor();
    await openMenu("Frozen books");
    await page.getByRole("menuitem", { name: "Keep the changes" }).press("Enter");
    await view(/^\W*Frozen books\W*$/).waitFor();
    await waitForFocus(page);
    await isStored(({ views: [saved] }) => saved?.name === "Frozen books" && JSON.parse(saved.filter).sort?.field === "gross");
    await openHome();
    await openOwn("Frozen books");
    await page.locator("[role=columnheader][data-column=gross]:not([aria-sort=none])").waitFor();
  });

  await inAppearances(fewAppearances, "the name of a view", async ({ language }) => {
    await page.keyboard.press("Alt+3");
    await button(language === "ar" ? "حفظ طريقة العرض هذه" : "Save this view").waitFor({ state: "detached" });
    await page.locator("[role=columnheader][data-column=gross] button").press("Enter");
    await button(language === "ar" ? "حفظ طريقة العرض هذه" : "Save this view").press("Enter");
    await dialog.getByRole("textbox").and(page.locator(":focus")).waitFor();
  });

  await test("a deleted view is gone, with the focus beside where it was", async () => {
    await openHome();
    await openOwn("Frozen books");
    await openMenu("Frozen books");
    await page.getByRole("menuitem", { name: "Delete the view" }).press("Enter");
    await view("Frozen books").waitFor({ state: "detached" });
    await views.locator(":focus").waitFor();
    await isStored(({ views: all }) => all.length === 0);
  });

  await inAppearances(appearances, "the columns", async () => {
    await button(COLUMNS).press("Enter");
    await dialog.getByRole("list").waitFor();
  });

  let usual = [];
  await test("a column is hidden and another moves, by keyboard, and the list shows it at once", async () => {
    // A narrow list leaves some out.
    await page.setViewportSize({ width: 1600, height: 800 });
    await openHome();
    await page.locator("[role=columnheader][data-column=issueDate]").waitFor();
    await views.waitFor();
    usual = await heads();
    await page.keyboard.press("Control+l");
    await dialog.getByRole("checkbox").first().and(page.locator(":focus")).waitFor();
    await dialog.getByRole("checkbox", { name: "Due" }).press(" ");
    await headsAre(usual.filter((name) => name !== "dueDate"));
    await dialog.getByRole("button", { name: /^Move \W*Gross\W* forward$/ }).press("Enter");
    const without = usual.filter((name) => name !== "dueDate" && name !== "gross");
    const moved = without.toSpliced(usual.filter((name) => name !== "dueDate").indexOf("gross") - 1, 0, "gross");
    await headsAre(moved);
    await dialog
      .getByRole("button", { name: /^Move \W*Gross\W* forward$/ })
      .and(page.locator(":focus"))
      .waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await waitForFocus(page);
    await isStored(({ columns }) => columns.length === moved.length);
    usual = moved;
  });

  await test("the width of a column changes by keyboard, and is kept with the order", async () => {
    const head = page.locator("[role=columnheader][data-column=number]");
    const widthIs = (width) =>
      page.waitForFunction(
        (wanted) => document.querySelector("[role=columnheader][data-column=number]")?.offsetWidth === wanted,
        width,
      );
    const before = await head.evaluate((element) => element.offsetWidth);
    await head.getByRole("button").focus();
    for (let key = 0; key < 3; key += 1) await page.keyboard.press("Alt+ArrowRight");
    await widthIs(before + 24);
    await isStored(({ columns }) => columns.some(({ name, width }) => name === "number" && width === before + 24));
    await openHome();
    await headsAre(usual);
    await widthIs(before + 24);
  });

  await test("another organization has columns and views of its own", async () => {
    const organizations = await invoke("organizations");
    const other = organizations.find(({ roles }) => roles.includes("viewer"));
    await invoke("switch_organization", { organization: other.id });
    await switcherOf(other.name).waitFor();
    await page.locator("[role=columnheader][data-column=dueDate]").waitFor();
    assert.deepEqual((await stored()).columns, []);
    const home = organizations.find(({ name }) => name === HOME);
    await invoke("switch_organization", { organization: home.id });
    await switcherOf(HOME).waitFor();
    await headsAre(usual);
  });

  await test("the usual columns come back with one button", async () => {
    await page.keyboard.press("Control+l");
    await dialog.getByRole("button", { name: "The usual columns" }).press("Enter");
    await page.locator("[role=columnheader][data-column=dueDate]").waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await isStored(({ columns }) => columns.length === 0);
  });
}
