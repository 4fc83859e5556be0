// A walk through what is shown by Tab alone, as of somebody without a pointer: from the first control to the last, and back.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { loadAxe } from "./axe.mjs";
import { pressAlone } from "./focus.mjs";

const tabStopsSource = readFileSync(join(import.meta.dirname, "tab-stops.js"), "utf8");

/** Keys beyond one for each control: what scrolls and has no control is a stop of Chromium as well. */
const SPARE_KEYS = 20;

/**
 * Walks by Tab from the first control in `within` to the last, and back by Shift+Tab. Fails if the focus is on the body, has no ring, is out of
 * sight, or goes against the order of reading, and if a control has no name or is not reached. With `zoomed`, in a window at 400 %, it walks
 * one way and asks for no order: the bars of the window are wrapped there.
 */
export async function walkByTab(page, where, { within = "body", zoomed = false } = {}) {
  await loadAxe(page);
  await page.evaluate(tabStopsSource);
  const stops = await page.evaluateHandle(([part, isOrdered]) => window.tabStops.observe(part, isOrdered), [within, !zoomed]);
  const most = (await stops.evaluate(({ count }) => count)) + SPARE_KEYS;
  const problems = new Set();
  const note = (found) => {
    for (const problem of found) problems.add(problem);
  };
  const walk = async (key, end) => {
    let stop = await stops.evaluate((observed) => observed.begin());
    for (let pressed = 0; !stop[end]; pressed += 1) {
      assert.ok(pressed < most, `${where}: ${key}, ${pressed} times, does not lead to the ${end} control, but to ${stop.name}`);
      await pressAlone(page, key);
      stop = await stops.evaluate((observed, isForwards) => observed.note(isForwards), key === "Tab");
      note(stop.problems.map((problem) => `${key}: ${problem}`));
    }
  };
  const left = async () => note(await stops.evaluate((observed) => observed.left()));
  // What has the focus at first may be in the midst of them, or hold them.
  await walk(await stops.evaluate((observed) => observed.keyToFirst()), "first");
  await walk("Tab", "last");
  await left();
  note(await stops.evaluate((observed) => observed.unnamed()));
  if (!zoomed) {
    await walk("Shift+Tab", "first");
    await left();
  }
  await stops.dispose();
  assert.deepEqual([...problems], [], `${where}, by Tab`);
}
