// Chromium as Debian has it, pages that notice violations of the content security policy, and axe.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { chromium } from "playwright-core";

const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

export async function openBrowser() {
  const chrome = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
  return {
    /** The pages that are open, the oldest first. */
    pages: () => chrome.contexts().flatMap((context) => context.pages()),
    close: () => chrome.close(),
    /** A page of its own, and what went wrong in it. */
    async page(options = {}) {
      const context = await chrome.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: "reduce", ...options });
      const page = await context.newPage();
      const troubles = [];
      page.on("pageerror", (error) => troubles.push(`error: ${error.message}`));
      await page.exposeFunction("reportPolicyViolation", (what) => troubles.push(`content security policy: ${what}`));
      await page.addInitScript(() => {
        // The window freezes it too: a library that writes to it must fail here and not there.
        Object.freeze(Object.prototype);
        document.addEventListener("securitypolicyviolation", (event) => {
          window.reportPolicyViolation(`${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`);
        });
      });
      return { page, troubles, close: () => context.close() };
    },
  };
}

/** Waits until nothing moves: colours are judged as they stay, not on their way from one theme or state to another. */
export async function settled(page) {
  await page.waitForFunction(() => document.getAnimations().length === 0);
}

/** Everything axe finds against WCAG 2.2 AA and its own good practice. */
export async function findBarriers(page) {
  await settled(page);
  await page.evaluate(axeSource);
  return page.evaluate(async () => {
    const found = await window.axe.run(document, {
      runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    });
    return found.violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id}: ${target.join(" ")} ${failureSummary?.replaceAll("\n", " ") ?? ""}`),
    );
  });
}

export async function assertNoBarriers(page, where) {
  const barriers = await findBarriers(page);
  assert.deepEqual(barriers, [], `${where}: ${barriers.length} barriers\n${barriers.slice(0, 12).join("\n")}`);
}

/** Every language with every theme. */
export const looks = ["en", "ar"].flatMap((language) => ["light", "dark"].map((theme) => ({ language, theme })));
