// Tests of what is shown in one language and theme after the other.

import { appearances } from "./browser.mjs";

/**
 * Runs `check` as a test in each appearance of what `show` opens. The window is opened anew for each language. A theme is a matter of the style
 * sheets: it changes under what is shown, as by another window, in a third of the time. `check` leaves the window as it was. After a failure
 * the next appearance begins anew.
 */
export async function inEachAppearance(test, { page, invoke, setPreferences }, { name, claim, of = appearances }, show, check) {
  let shown;
  for (const appearance of of) {
    const { language, theme } = appearance;
    await test(`${name} ${language} ${theme}: ${claim}`, async () => {
      const isShown = shown === language;
      shown = undefined;
      if (isShown) await changeTheme(page, invoke, theme);
      else {
        await setPreferences({ digits: "latin", ...appearance });
        await show(appearance);
      }
      await check(appearance);
      shown = language;
    });
  }
}

/** Changes the theme of an open window. */
async function changeTheme(page, invoke, theme) {
  await invoke("save_preferences", { preferences: { ...(await invoke("preferences")), theme } });
  await page.locator(`html[data-theme=${theme}]`).waitFor({ state: "attached" });
}
