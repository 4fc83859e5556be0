// Tests of what is shown in one language and theme after the other.

import { appearances, assertAccessible, assertAccessibleAtEveryWidth, fewAppearances, settled } from "./browser.mjs";

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
      if (isShown) await changeAppearance(page, invoke, { language, theme });
      else {
        await setPreferences({ digits: "latin", ...appearance });
        await show(appearance);
      }
      await check(appearance);
      shown = language;
    });
  }
}

/** Checks one of several appearances: in the light theme at every width, as the layout is that of all themes. */
export async function assertAccessibleIn(page, where, appearance) {
  if (appearance.theme === "light") await assertAccessibleAtEveryWidth(page, where, appearance);
  else await assertAccessible(page, where);
}

/**
 * Checks what is shown in each appearance, for a state that takes long to reach: the language changes under it as well, as by its key. It
 * ends in the appearance that it began in, in the usual size. What another width of the window can close is checked `atOneWidth`.
 */
export async function assertAccessibleInEachAppearance({ page, invoke }, where, { of = appearances, atOneWidth = false } = {}) {
  const { language, theme } = await invoke("preferences");
  try {
    let shown = language;
    for (const appearance of of) {
      await changeAppearance(page, invoke, appearance);
      // The texts of a language come in two parts, when it is shown first.
      if (appearance.language !== shown) await settled(page, (await isNew(page, appearance.language)) ? undefined : 2);
      shown = appearance.language;
      const what = `${where}, ${appearance.language} ${appearance.theme}`;
      if (atOneWidth) await assertAccessible(page, what);
      else await assertAccessibleIn(page, what, appearance);
    }
  } finally {
    await changeAppearance(page, invoke, { language, theme });
  }
  // It was shown in this language before.
  await settled(page, 2);
}

/** Whether a page has not been in a language here since it was opened. */
function isNew(page, language) {
  return page.evaluate((name) => {
    const languages = (window.checkedLanguages ??= new Set());
    const before = languages.size;
    return languages.add(name).size > before;
  }, language);
}

/** One appearance of each language, for a state that looks as another one does. Its other theme is checked by `assertAccessibleInThemes`. */
export const fewLanguages = fewAppearances.filter(({ theme }) => theme !== "highContrast");

/** Checks what is shown at every width in one of `fewLanguages`: in English then in high contrast as well, which changes under it. */
export async function assertAccessibleInThemes({ page, invoke }, where, appearance) {
  await assertAccessibleAtEveryWidth(page, where, appearance);
  if (appearance.language !== "en") return;
  await changeAppearance(page, invoke, { ...appearance, theme: "highContrast" });
  await assertAccessible(page, `${where} in high contrast`);
  await changeAppearance(page, invoke, appearance);
}

/** Changes the language and the theme of an open window. */
async function changeAppearance(page, invoke, { language, theme }) {
  await invoke("save_preferences", { preferences: { ...(await invoke("preferences")), language, theme } });
  await page.locator(`html[lang=${language}][data-theme=${theme}]`).waitFor({ state: "attached" });
}
