// Browser tests of Tab alone with the real core: each main screen is walked to its end and back in both languages, and to its end in a window at
// 400 %, where all of it has to come into sight.

import assert from "node:assert/strict";
import { assertBarsAreLow, setSize, settled, ZOOMED_SIZE } from "./browser.mjs";
import { emptyDraft } from "./documents.mjs";
import { signedInPage } from "./signed-in.mjs";
import { walkByTab } from "./tab-walk.mjs";

const USUAL_SIZE = { width: 1280, height: 800 };

/** Opens a screen of the sidebar. */
const section = (name) => async (page) => {
  await page.locator("nav button", { hasText: name }).first().press("Enter");
  await page.locator("nav [aria-current=page]", { hasText: name }).waitFor();
};

/** Shows each screen by keys. The document is opened from the list before it. */
const screens = {
  today: section(/Today|اليوم/),
  clients: section(/All clients|كل العملاء/),
  invoices: section(/Invoices|الفواتير/),
  document: async (page) => {
    await page.locator("[role=grid] [data-index='0']").press("Enter");
    await page.locator("[data-detail] h2").waitFor();
  },
  drafts: section(/Unsent drafts|مسودات/),
  insights: section(/Insights|التقارير/),
  settings: async (page) => {
    await page.keyboard.press("Control+,");
    await page.locator("#settings-title").waitFor();
  },
  editor: async (page) => {
    await page.keyboard.press("Control+n");
    await page.locator("#editor-title").waitFor();
    await page.keyboard.press("Control+Enter");
    await page.locator("#summary-title").waitFor();
  },
};

export async function tabTests(test, browser, { host }) {
  const { page, errors, close, invoke, setPreferences } = await signedInPage(browser, host, "noura@alkhair.example");
  const { binding } = await invoke("watch", { after: 0 });
  const key = await emptyDraft(invoke, binding);
  /** Shows a screen, and walks through what is in sight of it. */
  const walk = async (name, options) => {
    await screens[name](page);
    await page.locator("main h1").first().waitFor();
    await settled(page);
    if (options.zoomed) await assertBarsAreLow(page, name);
    await walkByTab(page, name, options);
  };
  for (const language of ["en", "ar"]) {
    await setPreferences({ language, theme: "light", digits: "latin" });
    for (const name of Object.keys(screens)) {
      await test(`${language}: Tab leads through all of ${name} in the order of reading, and back`, () => walk(name, {}));
    }
    await setSize(page, ZOOMED_SIZE);
    await setPreferences({ language, theme: "light", digits: "latin" });
    for (const name of Object.keys(screens)) {
      // In a narrow window the detail is over its list until Escape closes it.
      const within = name === "document" ? "[data-detail]" : "body";
      await test(`${language}: at 400 % all of ${name} comes into sight by Tab, beside low bars`, () =>
        walk(name, { within, zoomed: true }));
    }
    await setSize(page, USUAL_SIZE);
  }
  await invoke("discard_draft", { binding, key });
  await test("Tab reported no errors", () => assert.deepEqual(errors, []));
  await close();
}
