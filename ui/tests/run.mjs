// Runs the browser tests in Chromium: the gallery from the development server, pictures of screens, and the flows with the real core, which
// `ui-host` serves at $UI_HOST_URL with its files in $UI_HOST_DATA. axe checks each screen in both languages and all themes, and a violation of the content
// security policy fails. An argument names the one flow to run: `node tests/run.mjs settings`; `--flows` only prints the names of all, each with what is
// to be started for it. Screenshots of failed tests are in target/ui-tests, those of passed ones only if UI_SCREENSHOTS is set. After each flow comes
// a line that says how long it took, and its parts. The last line is `N passed, N failed`.

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { administrationTests } from "./administration-workflow.mjs";
import { attachmentsTests } from "./attachments-workflow.mjs";
import { authorityTests } from "./authority-workflow.mjs";
import { openBrowser, resultsFolder } from "./browser.mjs";
import { bulkTests } from "./bulk-workflow.mjs";
import { crashTests } from "./crash-workflow.mjs";
import { dayTests } from "./day-workflow.mjs";
import { debitTests } from "./debit-workflow.mjs";
import { detailsTests } from "./details-workflow.mjs";
import { dialogsTests } from "./dialogs-workflow.mjs";
import { draftsTests } from "./drafts-workflow.mjs";
import { addDuration, inSeconds, takeDurations } from "./durations.mjs";
import { editorTests } from "./editor-workflow.mjs";
import { environmentsTests } from "./environments-workflow.mjs";
import { exportsTests } from "./exports-workflow.mjs";
import { fieldsTests } from "./fields-workflow.mjs";
import { galleryTests } from "./gallery.mjs";
import { historyTests } from "./history-workflow.mjs";
import { invitationsTests } from "./invitations-workflow.mjs";
import { invoiceWorkflowTests } from "./invoice-workflow.mjs";
import { keyboardTests } from "./keyboard-workflow.mjs";
import { memoryTests } from "./memory-workflow.mjs";
import { networkTests } from "./network-workflow.mjs";
import { organizationsTests } from "./organizations-workflow.mjs";
import { paperTests } from "./paper-workflow.mjs";
import { screensTests } from "./screens-workflow.mjs";
import { settingsTests } from "./settings-workflow.mjs";
import { shellTests } from "./shell-workflow.mjs";
import { signInTests } from "./sign-in-workflow.mjs";
import { tabTests } from "./tab-workflow.mjs";
import { templatesTests } from "./templates-workflow.mjs";
import { viewsTests } from "./views-workflow.mjs";
import { windowFlow } from "./window-flow.mjs";
import { windowsTests } from "./windows-workflow.mjs";

mkdirSync(resultsFolder, { recursive: true });

let browser;
let passed = 0;
let failed = 0;

/** Runs one test and returns whether it passed. A failure saves a screenshot of the page. */
async function test(name, run) {
  const begun = performance.now();
  const duration = () => `${Math.round(performance.now() - begun)} ms`;
  try {
    await run();
    passed += 1;
    console.log(`ok    ${name} (${duration()})`);
    return true;
  } catch (error) {
    failed += 1;
    console.log(`FAIL  ${name} (${duration()})\n      ${String(error?.stack ?? error).replaceAll("\n", "\n      ")}`);
    const [page] = browser.pages();
    if (page)
      await page
        .screenshot({ path: join(resultsFolder, `failed-${name.replace(/[^\w-]+/g, "-").slice(0, 60)}.png`) })
        .catch(() => undefined);
    return false;
  }
}

const host = process.env.UI_HOST_URL;
const inWindow = (flow) => windowFlow(test, browser, { host }, flow);
/**
 * The flows in their order: the longest first, so that two browsers which share them end together. How long each takes is in its last line. The
 * order has no other meaning: each starts from what `ui-host` has at its start, or makes what it needs, and none depends on another.
 */
const flows = {
  administration: () => administrationTests(test, browser, { host }),
  tab: () => tabTests(test, browser, { host }),
  details: () => detailsTests(test, browser, { host }),
  memory: () => inWindow(memoryTests),
  fields: () => fieldsTests(test, browser),
  history: () => historyTests(test, browser, { host }),
  gallery: () => galleryTests(test, browser),
  invoices: () => inWindow(invoiceWorkflowTests),
  bulk: () => bulkTests(test, browser),
  day: () => inWindow(dayTests),
  paper: () => inWindow((window) => paperTests(window, process.env.UI_HOST_DATA)),
  shell: () => inWindow(shellTests),
  screens: () => screensTests(test, browser),
  settings: () => settingsTests(test, browser, { host }),
  views: () => inWindow(viewsTests),
  templates: () => templatesTests(test, browser, { host }),
  debit: () => debitTests(test, browser, { host }),
  environments: () => environmentsTests(test, browser, { host }),
  invitations: () => invitationsTests(test, browser, { host }),
  windows: () => windowsTests(test, browser, { host }),
  editor: () => inWindow(editorTests),
  keyboard: () => inWindow(keyboardTests),
  exports: () => exportsTests(test, browser),
  dialogs: () => dialogsTests(test, browser),
  crash: () => crashTests(test, browser),
  attachments: () => attachmentsTests(test, browser, { host, data: process.env.UI_HOST_DATA }),
  organizations: () => inWindow(organizationsTests),
  signIn: () => signInTests(test, browser, { host }),
  drafts: () => inWindow((window) => draftsTests(window, process.env.UI_HOST_DATA)),
  network: () => networkTests(test, browser),
  authority: () => authorityTests(test, browser),
};

/** Flows that need no core. With `--record` the screens start one. */
const withoutHost = new Set(["fields", "gallery", "authority", "screens", "dialogs"]);

/** Flows that start each core by themselves, with the keyring of the session. */
const withOwnHosts = new Set(["bulk", "crash", "exports", "network"]);

/** What is to be started for a flow. */
function needOf(name) {
  if (withoutHost.has(name)) return "nothing";
  return withOwnHosts.has(name) ? "session" : "core";
}

if (process.argv.includes("--flows")) {
  for (const name of Object.keys(flows)) console.log(`${name} ${needOf(name)}`);
  process.exit();
}
const only = process.argv.slice(2).find((argument) => !argument.startsWith("--"));
if (only !== undefined && !(only in flows)) {
  console.error(`There is no flow named ${only}.`);
  process.exit(1);
}
if (only !== undefined && !host && needOf(only) === "core") {
  console.error(`The flow ${only} needs a core: set UI_HOST_URL, or run cargo xtask test ${only} --only browser.`);
  process.exit(1);
}
if (process.env.UI_HOST_START_MS) addDuration("session and core", Number(process.env.UI_HOST_START_MS));
browser = await openBrowser();
try {
  if (!host && only === undefined) console.log("UI_HOST_URL is not set: the tests with the real core are skipped.");
  for (const [name, run] of Object.entries(flows)) {
    if (only === undefined ? host || withoutHost.has(name) : only === name) {
      const begun = performance.now();
      await test(`the flow ${name} comes to its end`, run);
      console.log(`      ${name} took ${inSeconds(performance.now() - begun)}, with its start: ${takeDurations()}`);
    }
    // A window that a failed flow has left open would go on beside those of the others.
    for (const page of browser.pages()) await page.context().close();
  }
} catch (error) {
  failed += 1;
  console.log(`FAIL  between the tests\n      ${String(error?.stack ?? error)}`);
} finally {
  await browser.close();
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
