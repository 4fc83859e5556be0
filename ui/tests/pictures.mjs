// Compares what is drawn with kept pictures, so that an unintended change of the look fails. `node tests/run.mjs gallery --keep` takes those
// of the gallery anew.

import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pixelmatch from "pixelmatch";
import { PNG } from "pngjs";
import { animationsEnded, resultsFolder } from "./browser.mjs";
import { timed } from "./durations.mjs";

const kept = join(import.meta.dirname, "pictures");

/** Another build of Chromium draws the edges of glyphs a little differently: how many of 10,000 pixels may differ. */
const USUAL_MOST = 3;

/**
 * Compares the first `height` pixels of `main` with the kept picture of that name. A picture that differs is stored with its differences in `target/ui-tests`,
 * under `resultName`. The page needs a fixed clock.
 */
export function assertLooksAsKept(page, name, height, mostOf10000 = USUAL_MOST, resultName = name) {
  return timed("pictures", () => compare(page, name, height, mostOf10000, resultName));
}

async function compare(page, name, height, mostOf10000, resultName) {
  // `main` scrolls, not the page: the window becomes as high as what it holds.
  const viewport = page.viewportSize();
  await page.setViewportSize({ ...viewport, height });
  await page.waitForFunction((expected) => window.innerHeight === expected, height);
  const file = join(kept, `${name}.png`);
  const takesAnew = process.argv.includes("--keep");
  const keptPicture = !takesAnew && existsSync(file) ? readFileSync(file) : null;
  const taken = await screenshotAtRest(page, keptPicture);
  await page.setViewportSize(viewport);
  if (takesAnew) {
    mkdirSync(kept, { recursive: true });
    writeFileSync(file, taken);
    return;
  }
  assert.ok(keptPicture, `${name} has a kept picture: take one with --keep`);
  // From the same build of Chromium they are the same bytes: nothing is to be decoded.
  if (keptPicture.equals(taken)) return;
  const [now, before] = [PNG.sync.read(taken), PNG.sync.read(keptPicture)];
  const store = (kind, content) => {
    mkdirSync(resultsFolder, { recursive: true });
    writeFileSync(join(resultsFolder, `${kind}-${resultName}.png`), content);
  };
  if (now.width !== before.width || now.height !== before.height) {
    store("changed", taken);
    assert.fail(
      `${name} is ${now.width} x ${now.height}, was ${before.width} x ${before.height}: see target/ui-tests/changed-${resultName}.png`,
    );
  }
  const differences = new PNG({ width: now.width, height: now.height });
  const differing = pixelmatch(before.data, now.data, differences.data, now.width, now.height, { threshold: 0.2 });
  const most = Math.floor((now.width * now.height * mostOf10000) / 10_000);
  if (differing > most) {
    store("changed", taken);
    store("differences", PNG.sync.write(differences));
  }
  assert.ok(
    differing <= most,
    `${name}: ${differing} pixels differ, at most ${most} may: see target/ui-tests/differences-${resultName}.png`,
  );
}

/**
 * A screenshot that is equal to the expected one, or to the one before it: what depends on the size of the window is drawn again some frames
 * after it changed. One that never rests is compared as it is.
 */
async function screenshotAtRest(page, expected) {
  let before;
  for (let taken = 0; taken < 20; taken += 1) {
    await animationsEnded(page);
    await page.evaluate(() => document.fonts.ready);
    const now = await page.screenshot({ caret: "hide" });
    if (expected?.equals(now)) return now;
    if (before?.equals(now)) break;
    before = now;
  }
  return before;
}
