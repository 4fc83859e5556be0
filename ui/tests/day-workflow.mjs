// Browser tests of finding and overview: the command palette, organizations, today, all clients and insights. By keyboard alone.

import assert from "node:assert/strict";
import { join } from "node:path";
import { appearances, assertAccessible } from "./browser.mjs";

export async function dayTests(test, page, { openHome, setPreferences, invoke }, screenshots) {
  const palette = page.getByRole("combobox", { name: "Find a command" });
  const active = () =>
    page.evaluate(
      () => document.getElementById(document.activeElement?.getAttribute("aria-activedescendant") ?? "")?.textContent,
    );
  const activeIs = (text) =>
    page.waitForFunction(
      (expected) =>
        document
          .getElementById(document.activeElement?.getAttribute("aria-activedescendant") ?? "")
          ?.textContent?.includes(expected),
      text,
    );
  const openPalette = async () => {
    await page.keyboard.press("Control+k");
    await palette.and(page.locator(":focus")).waitFor();
  };
  const choose = async (text, entry) => {
    await openPalette();
    await page.keyboard.type(text);
    await activeIs(entry);
    await page.keyboard.press("Enter");
    await palette.waitFor({ state: "detached" });
  };

  await test("the palette opens on Ctrl+K, moves by arrows, and closes with the focus where it was", async () => {
    await openHome();
    const before = await page.evaluate(() => document.activeElement?.getAttribute("data-index"));
    await openPalette();
    const first = await active();
    await page.keyboard.press("ArrowDown");
    await page.waitForFunction(
      (text) =>
        document.getElementById(document.activeElement?.getAttribute("aria-activedescendant") ?? "")?.textContent !== text,
      first,
    );
    await page.keyboard.press("ArrowUp");
    await activeIs(first);
    await page.keyboard.press("Escape");
    await palette.waitFor({ state: "detached" });
    await page.waitForFunction((index) => document.activeElement?.getAttribute("data-index") === index, before);
  });

  await test("the palette runs a command with its shortcut shown, and lists it first the next time", async () => {
    await openPalette();
    await page.keyboard.type("nwinv");
    await activeIs("New invoice");
    assert.match(await active(), /Ctrl N/);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "New invoice" }).waitFor();
    await page.locator('[data-field="buyer.name.en"] :focus').waitFor();
    await choose("invoices", "Invoices");
    await page.getByRole("grid").first().waitFor();
    await openPalette();
    await activeIs("Invoices");
    await page.getByRole("group", { name: "Used last" }).waitFor();
    await page.keyboard.press("Escape");
  });

  /** The invoice at a place of the list, as the service has it. */
  const rowAt = async (skip) => {
    const { binding } = await invoke("watch", { after: 0 });
    const query = { status: ["issued", "frozen"], kind: ["invoice"], currency: [], payment: [], sort: null, skip, pageSize: 1 };
    for (const empty of ["buyer", "number", "issuedFrom", "issuedTo", "dueFrom", "dueTo", "grossFrom", "grossTo"])
      query[empty] = "";
    const { rows } = await invoke("list_invoices", { binding, query });
    return rows[0];
  };
  const detail = page.getByRole("complementary");

  await test("the palette finds a document that the window has not loaded by its number in Arabic digits, and by its amount", async () => {
    await openHome();
    const { number, gross } = await rowAt(150);
    const arabic = number.replace(/\d/g, (digit) => "٠١٢٣٤٥٦٧٨٩"[digit]);
    await choose(arabic, number);
    await detail.getByText(number).first().waitFor();
    await openHome();
    await openPalette();
    await page.keyboard.type(gross);
    await page.getByRole("option").filter({ hasText: number }).waitFor();
    await page.keyboard.press("Escape");
  });

  await test("the palette shows the answer to the newest text only, and says when nothing fits", async () => {
    await openHome();
    const { buyer, number } = await rowAt(150);
    await openPalette();
    await page.keyboard.type("zzzz");
    await page.getByText("Nothing fits.").waitFor();
    await page.keyboard.press("Control+a");
    await page.keyboard.type(buyer.en);
    await page.getByRole("option").filter({ hasText: buyer.en }).first().waitFor();
    await page.keyboard.press("Control+a");
    await page.keyboard.type(number);
    await page.waitForFunction(() => document.querySelectorAll("[role=option]").length === 1);
    await activeIs(number);
    await page.keyboard.press("Escape");
  });

  for (const appearance of appearances)
    await test(`palette ${appearance.language} ${appearance.theme}: is accessible`, async () => {
      await setPreferences(appearance);
      await page.keyboard.press("Control+k");
      await page.getByRole("combobox").and(page.locator(":focus")).waitFor();
      await page.keyboard.type(appearance.language === "ar" ? "فات" : "inv");
      await page.getByRole("option").first().waitFor();
      await assertAccessible(page, "palette");
      await page.screenshot({ path: join(screenshots, `palette-${appearance.language}-${appearance.theme}.png`) });
      await page.keyboard.press("Escape");
    });
  await setPreferences({});
}
