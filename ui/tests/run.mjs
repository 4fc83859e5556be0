// Runs browser tests in Chromium: the gallery from the development server, pictures of screens, and the flows with the real core, which
// `ui-host` serves at $UI_HOST_URL with its files in $UI_HOST_DATA. axe checks each screen in both languages and all themes; a violation of
// the content security policy fails, and a key that leaves the focus on the body (`focus.mjs`). An argument names the flow to run:
// `node tests/run.mjs settings`; with `--queue` the input names them, one after the other; `--flows` only prints the names of all, each with
// what is to be started for it. Screenshots of failed tests are in target/ui-tests, those of passed ones only if UI_SCREENSHOTS is set. After
// each flow comes a line that says how long it took, and its parts, and then `N passed, N failed`.

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { openBrowser, resultsFolder } from "./browser.mjs";
import { addDuration, inSeconds, takeDurations } from "./durations.mjs";
import { windowFlow } from "./window-flow.mjs";

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

/** A flow in a window of its own, with the folder of its core. */
const inWindow = (flow, core) => windowFlow(test, browser, core, (window) => flow(window, core.data));

/**
 * The flows in their order: the longest first, so that two browsers which share them end together. How long each takes is in its last line but
 * one. The order has no other meaning: each starts from what `ui-host` has at its start, or makes what it needs, and none depends on another. A
 * flow is loaded when it runs: of all of them one process runs about half.
 */
const flows = {
  administration: async (core) => (await import("./administration-workflow.mjs")).administrationTests(test, browser, core),
  tab: async (core) => (await import("./tab-workflow.mjs")).tabTests(test, browser, core),
  details: async (core) => (await import("./details-workflow.mjs")).detailsTests(test, browser, core),
  memory: async (core) => inWindow((await import("./memory-workflow.mjs")).memoryTests, core),
  fields: async (core) => (await import("./fields-workflow.mjs")).fieldsTests(test, browser, core),
  history: async (core) => (await import("./history-workflow.mjs")).historyTests(test, browser, core),
  gallery: async (core) => (await import("./gallery.mjs")).galleryTests(test, browser, core),
  invoices: async (core) => inWindow((await import("./invoice-workflow.mjs")).invoiceWorkflowTests, core),
  bulk: async (core) => (await import("./bulk-workflow.mjs")).bulkTests(test, browser, core),
  day: async (core) => inWindow((await import("./day-workflow.mjs")).dayTests, core),
  paper: async (core) => inWindow((await import("./paper-workflow.mjs")).paperTests, core),
  shell: async (core) => inWindow((await import("./shell-workflow.mjs")).shellTests, core),
  screens: async (core) => (await import("./screens-workflow.mjs")).screensTests(test, browser, core),
  settings: async (core) => (await import("./settings-workflow.mjs")).settingsTests(test, browser, core),
  views: async (core) => inWindow((await import("./views-workflow.mjs")).viewsTests, core),
  templates: async (core) => (await import("./templates-workflow.mjs")).templatesTests(test, browser, core),
  debit: async (core) => (await import("./debit-workflow.mjs")).debitTests(test, browser, core),
  environments: async (core) => (await import("./environments-workflow.mjs")).environmentsTests(test, browser, core),
  invitations: async (core) => (await import("./invitations-workflow.mjs")).invitationsTests(test, browser, core),
  windows: async (core) => (await import("./windows-workflow.mjs")).windowsTests(test, browser, core),
  editor: async (core) => inWindow((await import("./editor-workflow.mjs")).editorTests, core),
  keyboard: async (core) => inWindow((await import("./keyboard-workflow.mjs")).keyboardTests, core),
  exports: async (core) => (await import("./exports-workflow.mjs")).exportsTests(test, browser, core),
  dialogs: async (core) => (await import("./dialogs-workflow.mjs")).dialogsTests(test, browser, core),
  crash: async (core) => (await import("./crash-workflow.mjs")).crashTests(test, browser, core),
  attachments: async (core) => (await import("./attachments-workflow.mjs")).attachmentsTests(test, browser, core),
  organizations: async (core) => inWindow((await import("./organizations-workflow.mjs")).organizationsTests, core),
  signIn: async (core) => (await import("./sign-in-workflow.mjs")).signInTests(test, browser, core),
  drafts: async (core) => inWindow((await import("./drafts-workflow.mjs")).draftsTests, core),
  network: async (core) => (await import("./network-workflow.mjs")).networkTests(test, browser, core),
  authority: async (core) => (await import("./authority-workflow.mjs")).authorityTests(test, browser, core),
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

/** Runs a flow with what the environment names, and closes what it has left open. Returns whether all of its tests passed. */
async function runFlow(name) {
  passed = 0;
  failed = 0;
  // It may have crashed in the flow before.
  if (!browser.isConnected()) browser = await openBrowser();
  const { UI_HOST_URL: host, UI_HOST_DATA: data, UI_HOST_START_MS: startMs } = process.env;
  if (startMs) addDuration("session and core", Number(startMs));
  const begun = performance.now();
  await test(`the flow ${name} comes to its end`, () => flows[name]({ host, data }));
  console.log(`      ${name} took ${inSeconds(performance.now() - begun)}, with its start: ${takeDurations()}`);
  // A window that a failed flow has left open would go on beside those of the others.
  await browser.closePages();
  console.log(`${passed} passed, ${failed} failed`);
  return failed === 0;
}

/**
 * Runs the flows that the lines of the input name, one after the other in one Chromium. A line `NAME=VALUE` sets a variable of the environment
 * before: what is started for each flow is another.
 */
async function runQueue() {
  for await (const line of createInterface({ input: process.stdin })) {
    const end = line.indexOf("=");
    if (end === -1) await runFlow(line);
    else process.env[line.slice(0, end)] = line.slice(end + 1);
  }
}

if (process.argv.includes("--flows")) {
  for (const name of Object.keys(flows)) console.log(`${name} ${needOf(name)}`);
  process.exit();
}
const isQueue = process.argv.includes("--queue");
const only = process.argv.slice(2).find((argument) => !argument.startsWith("--"));
if (!isQueue && !Object.hasOwn(flows, only)) {
  console.error(`Name one of the flows: ${Object.keys(flows).join(", ")}.`);
  process.exit(1);
}
if (!isQueue && !process.env.UI_HOST_URL && needOf(only) === "core") {
  console.error(`The flow ${only} needs a core: set UI_HOST_URL, or run cargo xtask test ${only} --only browser.`);
  process.exit(1);
}
mkdirSync(resultsFolder, { recursive: true });
browser = await openBrowser();
if (isQueue) await runQueue();
else process.exitCode = (await runFlow(only)) ? 0 : 1;
await browser.close();
// What a failed flow has left would keep the process.
process.exit();
