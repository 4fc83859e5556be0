// Runs the browser tests in Chromium: the gallery from the development server, pictures of screens, and the flows with the real core, which
// `ui-host` serves at $UI_HOST_URL with its files in $UI_HOST_DATA. axe checks each screen in both languages and all themes, and a violation of the content
// security policy fails. An argument names the one flow to run: `node tests/run.mjs settings`; `--flows` only prints the names of all. Screenshots of
// failed tests are in target/ui-tests, those of passed ones only if UI_SCREENSHOTS is set. The last line is `N passed, N failed`.

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
 * The flows in their order: those that take minutes first, so that two browsers which share them end together. Each starts from what
 * `ui-host` has at its start, or makes what it needs: none depends on another.
 */
const flows = {
  administration: () => administrationTests(test, browser, { host }),
  history: () => historyTests(test, browser, { host }),
  day: () => inWindow(dayTests),
  bulk: () => bulkTests(test, browser),
  shell: () => inWindow(shellTests),
  tab: () => tabTests(test, browser, { host }),
  gallery: () => galleryTests(test, browser),
  signIn: () => signInTests(test, browser, { host }),
  invoices: () => inWindow(invoiceWorkflowTests),
  exports: () => exportsTests(test, browser),
  crash: () => crashTests(test, browser),
  views: () => inWindow(viewsTests),
  invitations: () => invitationsTests(test, browser, { host }),
  debit: () => debitTests(test, browser, { host }),
  environments: () => environmentsTests(test, browser, { host }),
  drafts: () => inWindow((window) => draftsTests(window, process.env.UI_HOST_DATA)),
  organizations: () => inWindow(organizationsTests),
  keyboard: () => inWindow(keyboardTests),
  editor: () => inWindow(editorTests),
  paper: () => inWindow((window) => paperTests(window, process.env.UI_HOST_DATA)),
  memory: () => inWindow(memoryTests),
  fields: () => fieldsTests(test, browser),
  details: () => detailsTests(test, browser, { host }),
  settings: () => settingsTests(test, browser, { host }),
  attachments: () => attachmentsTests(test, browser, { host, data: process.env.UI_HOST_DATA }),
  templates: () => templatesTests(test, browser, { host }),
  authority: () => authorityTests(test, browser),
  screens: () => screensTests(test, browser),
  dialogs: () => dialogsTests(test, browser),
  network: () => networkTests(test, browser),
  windows: () => windowsTests(test, browser, { host }),
};

/** Flows that need no core. With `--record` the screens start one. */
const withoutHost = new Set(["fields", "gallery", "authority", "screens", "dialogs"]);

if (process.argv.includes("--flows")) {
  console.log(Object.keys(flows).join("\n"));
  process.exit();
}
const only = process.argv.slice(2).find((argument) => !argument.startsWith("--"));
if (only !== undefined && !(only in flows)) {
  console.error(`There is no flow named ${only}.`);
  process.exit(1);
}
if (only !== undefined && !host && !withoutHost.has(only)) {
  console.error(`The flow ${only} needs a core: set UI_HOST_URL, or run cargo xtask test ${only} --only browser.`);
  process.exit(1);
}
browser = await openBrowser();
try {
  if (!host) console.log("UI_HOST_URL is not set: the tests with the real core are skipped.");
  for (const [name, run] of Object.entries(flows)) {
    if ((host || withoutHost.has(name)) && (only === undefined || only === name))
      await test(`the flow ${name} comes to its end`, run);
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
