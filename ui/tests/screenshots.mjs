// A picture of every error as the gallery draws it, in both languages and both themes: `node tests/screenshots.mjs FOLDER`
// writes FOLDER/en-light/errors/offline.png and so on. The list of kinds is complete: its type says so.

import { join } from "node:path";
import { looks, openBrowser, settled } from "./browser.mjs";
import { openGallery } from "./gallery-server.mjs";

const [folder] = process.argv.slice(2);
if (!folder) throw new Error("Where to? node tests/screenshots.mjs FOLDER");

const browser = await openBrowser();
const gallery = await openGallery();
let taken = 0;
try {
  for (const look of looks) {
    const { page, close } = await browser.page({ deviceScaleFactor: 1 });
    await page.goto(gallery.address(look));
    await page.locator(`html[data-theme=${look.theme}]`).waitFor();
    await page.locator("[data-error]").first().waitFor();
    await settled(page);
    const seen = new Map();
    for (const notice of await page.locator("[data-error]").all()) {
      const kind = await notice.getAttribute("data-error");
      const number = (seen.get(kind) ?? 0) + 1;
      seen.set(kind, number);
      const name = number === 1 ? `${kind}.png` : `${kind}-${number}.png`;
      await notice.screenshot({ path: join(folder, `${look.language}-${look.theme}`, "errors", name) });
      taken += 1;
    }
    await close();
  }
} finally {
  await gallery.close();
  await browser.close();
}
console.log(`${taken} pictures of errors`);
