// Checks what a page shows with axe: WCAG 2.2 AA and the best practices of axe. A rule is not asked again what it has answered: most read
// the tree alone, so they run once for each tree. Where boxes have another place or size only those run that read the layout or colours, and where
// colours alone differ, as in another theme, those that read colours.

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { timed } from "./durations.mjs";

const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** Of these tags: the contrast of texts, and of links within texts. They also read what stands behind a text, which another layout can change. */
const COLOUR_RULES = ["color-contrast", "link-in-text-block"];

/**
 * Of these tags: the sizes and distances of targets, and what scrolls; the labels, of which those are read that are in sight; and what axe lets pass
 * while something covers the window.
 */
const LAYOUT_RULES = [
  "target-size",
  "scrollable-region-focusable",
  "label",
  "label-content-name-mismatch",
  "aria-hidden-focus",
  "landmark-one-main",
  "page-has-heading-one",
];

/** The trees, their layouts and their looks in which axe has found no violation in this run. */
const checked = new Set();

/** Loads axe into the page, once for each document: reading it takes as long as a short check. */
export async function loadAxe(page) {
  // The source of each element that a rule has read would be stored with its result.
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(`${axeSource}\n;axe.configure({ noHtml: true });`);
}

/** The violations in what is shown, and whether its layout had not been checked before. */
export async function findViolations(page) {
  // The height of a line, and with it the size of a target, is that of the font.
  await page.evaluate(() => document.fonts.ready);
  const shown = await page.evaluate(describeShown);
  const tree = digest(shown.tree);
  const layout = digest(tree, shown.boxes);
  const look = digest(layout, shown.colours);
  const isLaidOutAnew = !checked.has(layout);
  const violations = await runRules(page, rulesFor({ tree, layout, look }));
  if (violations.length === 0) for (const each of [tree, layout, look]) checked.add(each);
  return { violations, isLaidOutAnew };
}

const digest = (...parts) => createHash("sha256").update(parts.join("\n")).digest("hex");

/** What is to run, by tags or by rules, and its name in the durations. */
function rulesFor({ tree, layout, look }) {
  if (!checked.has(tree)) return { part: "axe", runOnly: TAGS };
  if (!checked.has(layout)) return { part: "axe for a layout", runOnly: [...LAYOUT_RULES, ...COLOUR_RULES] };
  if (!checked.has(look)) return { part: "axe for colours", runOnly: COLOUR_RULES };
  return { part: "axe", runOnly: [] };
}

async function runRules(page, { part, runOnly }) {
  if (runOnly.length === 0) return [];
  await loadAxe(page);
  return timed(part, () => page.evaluate(violationsOf, runOnly));
}

/** Runs rules in the page. */
async function violationsOf(runOnly) {
  const { violations } = await window.axe.run(document, {
    runOnly,
    // For the others it would make a selector of each element that passed, which takes longer than most rules.
    resultTypes: ["violations"],
    // What is preloaded are style sheets, for a rule that is experimental, and media, which no screen has.
    preload: false,
  });
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(" ")} ${failureSummary?.replaceAll("\n", " ") ?? ""}`),
  );
}

/**
 * What the rules of axe read: the tree with its attributes, what fields hold and what of it is hidden or clipped; where the boxes are, as it is
 * scrolled; and the colours, as of a theme or under the pointer. Runs in the page.
 */
function describeShown() {
  const { title, documentElement, body } = document;
  // A theme is colours alone (themes.test.ts), which are read themselves.
  const attributes = [...documentElement.attributes].filter(({ name }) => name !== "data-theme" && name !== "data-contrast");
  const tree = [title, ...attributes.map(({ name, value }) => `${name}=${value}`), body.outerHTML];
  const boxes = [`${window.innerWidth} x ${window.innerHeight}`];
  const colours = [];
  for (const element of document.querySelectorAll("html, body, body *")) {
    if (element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) {
      const { clipPath, color, backgroundColor } = getComputedStyle(element);
      const { x, y, width, height } = element.getBoundingClientRect();
      tree.push(`${clipPath} ${element.value} ${element.checked} ${element.indeterminate}`);
      boxes.push(`${x} ${y} ${width} ${height}`);
      colours.push(`${color} ${backgroundColor}`);
    } else tree.push("hidden");
  }
  return { tree: tree.join("\n"), boxes: boxes.join("\n"), colours: colours.join("\n") };
}
