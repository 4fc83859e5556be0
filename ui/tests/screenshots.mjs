// Takes a screenshot of every error in the gallery, in both languages and both themes: `node tests/screenshots.mjs FOLDER`
// writes FOLDER/en-light/errors/offline.png and so on. The type of the fixtures guarantees that every kind is included.

import { join } from "node:path";
import { animationsEnded, appearances, openBrowser } from "./browser.mjs";
import { openGallery } from "./gallery-server.mjs";

const [folder] = process.argv.slice(2);
if (!folder) throw new Error("Usage: node tests/screenshots.mjs FOLDER");

const browser = await openBrowser();
const gallery = await openGallery();
let taken = 0;
try {
  for (const appearance of appearances) {
    const { page, close } = await browser.page({ deviceScaleFactor: 1 });
    await page.goto(gallery.address(appearance));
    await page.locator(`html[data-theme=${appearance.theme}]`).waitFor();
    await page.locator("[data-error]").first().waitFor();
    await animationsEnded(page);
    const seen = new Map();
    for (const notice of await page.locator("[data-error]").all()) {
      const kind = await notice.getAttribute("data-error");
      const number = (seen.get(kind) ?? 0) + 1;
      seen.set(kind, number);
      const name = number === 1 ? `${kind}.png` : `${kind}-${number}.png`;
      await notice.screenshot({ path: join(folder, `${appearance.language}-${appearance.theme}`, "errors", name) });
      taken += 1;
    }
    await close();
  }
} finally {
  await gallery.close();
  await browser.close();
}
console.log(`${taken} screenshots of errors`);
