// The UI in Debian's Chromium: the gallery from the development server, and every screen with the real core behind it,
// which `ui-host` serves at $UI_HOST_URL. Each screen is read by axe in both languages and both themes, and any violation of the
// content security policy fails. The last line is `N passed, N failed`.

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { openBrowser } from "./browser.mjs";
import { galleryTests } from "./gallery.mjs";
import { invoiceWorkflowTests } from "./invoice-workflow.mjs";

const pictures = join(import.meta.dirname, "../../target/ui-tests");
mkdirSync(pictures, { recursive: true });

const browser = await openBrowser();
let passed = 0;
let failed = 0;

/** Runs one test and says whether it passed; a failure leaves a picture of the page behind. */
async function test(name, run) {
  try {
    await run();
    passed += 1;
    console.log(`ok    ${name}`);
    return true;
  } catch (error) {
    failed += 1;
    console.log(`FAIL  ${name}\n      ${String(error?.stack ?? error).replaceAll("\n", "\n      ")}`);
    const [page] = browser.pages();
    if (page)
      await page
        .screenshot({ path: join(pictures, `failed-${name.replace(/[^\w-]+/g, "-").slice(0, 60)}.png`) })
        .catch(() => undefined);
    return false;
  }
}

try {
  await galleryTests(test, browser);
  const host = process.env.UI_HOST_URL;
  if (host) await invoiceWorkflowTests(test, browser, host, pictures);
  else console.log("UI_HOST_URL is not set: the screens with the real core behind them are not tested.");
} catch (error) {
  failed += 1;
  console.log(`FAIL  between the tests\n      ${String(error?.stack ?? error)}`);
} finally {
  await browser.close();
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
