// Compares dialogs of the invoices with kept pictures, in English and light, and in Arabic and dark: templates, a file, a credit note, a paper, a
// bulk run, exports, and a conflict. Their answers are made, or of the recorded ones of the list, so that no core has to bring them about; that
// it does is tested in the flows of each. `node tests/run.mjs dialogs --keep` takes the pictures again, to be looked at. And checks the banners
// of a session, which are made so too.

import assert from "node:assert/strict";
import { fewAppearances, settled } from "./browser.mjs";
import { assertAccessibleInEachAppearance } from "./each-appearance.mjs";
import { dropOn } from "./files.mjs";
import { assertLooksAsKept } from "./pictures.mjs";
import { replay } from "./recorded-core.mjs";
import { APPEARANCES, closeDialog, HIGH_CONTRAST, MOST, OPTIONS, SIZE } from "./screens-workflow.mjs";
import { invokeOf } from "./signed-in.mjs";

const SUPPORT = {
  code: 3,
  status: 400,
  reason: "INVALID_DOCUMENT",
  operation: "issue_documents",
  organization: "274893001",
  time: "2026-11-25T17:36:00Z",
  correlationId: "018bcfeb",
  message: "the document is not valid",
  retryAfter: null,
};
const REFUSED = {
  kind: "invalidArgument",
  violations: [{ field: "dueDate", path: "dueDate", rule: "INV-DUE-DATE", description: "the due date is before the issue date" }],
  support: SUPPORT,
};
const PLAN = { count: 3, skipped: 1, sums: [{ currency: "SAR", net: "126003.00", tax: "18900.45", gross: "144903.45" }] };
const RUN = {
  id: "run",
  action: "issue",
  folder: null,
  state: "finished",
  plan: PLAN,
  collected: 3,
  done: 2,
  failed: 1,
  started: "2026-11-25T17:36:00Z",
  durable: true,
  interrupted: false,
  error: null,
  changed: null,
};
const EXPORT = {
  id: 1,
  file: "invoices-2026-11-25.csv",
  format: "csv",
  state: "running",
  total: 400,
  rows: 120,
  kibibytes: 31,
  error: null,
};

const TEMPLATES = [
  {
    id: "1",
    name: "Cleaning of the offices",
    buyer: { en: "Al-Ofoq Agriculture", ar: "الأفق للزراعة" },
    lines: 2,
    gross: "16375.38",
    currency: "SAR",
    schedule: null,
    next: null,
  },
  {
    id: "2",
    name: "إيجار المستودع",
    buyer: { en: "Marina Bakery", ar: "مخبز المرسى" },
    lines: 1,
    gross: "4025.00",
    currency: "SAR",
    schedule: { frequency: "monthly", day: 1, from: "2026-12-01", until: "", period: "current" },
    next: "2026-12-01",
  },
];

/** What a file of the organization says. No draft is made of it. */
const READING = {
  syntax: "ubl",
  inPdf: false,
  number: "2026-417",
  kind: "invoice",
  issueDate: "2026-11-20",
  seller: { name: { en: "Al-Khair Trading", ar: "الخير للتجارة" }, taxId: "310175397400003" },
  buyer: { name: { en: "Marina Bakery", ar: "مخبز المرسى" }, taxId: "" },
  currency: "SAR",
  gross: "1150.00",
  relation: "seller",
  violations: [{ field: null, path: "Invoice/cac:LegalMonetaryTotal", rule: "BR-CO-15", description: "" }],
  violationCount: 1,
  unread: [
    { path: "Invoice/cbc:ID", count: 1, reason: "number" },
    { path: "Invoice/cac:InvoiceLine/cbc:Note", count: 3, reason: "noField" },
  ],
  content: {},
};

/** A page without letters, which each build of Chromium would draw in its own way. */
const PAGE = `data:image/svg+xml;base64,${Buffer.from(
  `<svg xmlns="http://www.w3.org/2000/svg" width="595" height="842">
    <path fill="#fff" d="M0 0h595v842H0z"/>
    <path d="M60 60h200v24H60zM60 140h475v1H60zM60 180h475v1H60z"/>
  </svg>`,
).toString("base64")}`;

/** What the lines of the recorded document come to in a credit note. */
const CREDIT = {
  lines: [{ net: "12419.25" }, { net: "1820.21" }],
  taxBreakdown: [],
  totals: { net: "14239.46", tax: "2135.92", gross: "16375.38", payable: "16375.38" },
  violations: [],
};

/** A write that is tried again. */
const WAITS = {
  id: 1,
  command: "update_document",
  organization: SUPPORT.organization,
  write: true,
  error: { kind: "unavailable", authority: false, support: { ...SUPPORT, operation: "update_document" } },
  until: "2026-11-27T12:39:00Z",
  failedAttempts: 1,
};

/** The session has ended, would have ended soon, and has a problem of its own; the window has lost its organization; and a write waits. */
function withBanners(command, _args, answer) {
  if (command !== "watch") return answer;
  const problems = { connectivity: { state: "ended" }, ends: "2026-11-27T14:00:00Z", error: { kind: "clockOff", minutes: 7 } };
  const session = { ...answer.session, ...problems };
  return { ...answer, session, lostOrganization: "Dhow Logistics", pendingRetries: [WAITS] };
}

const asDraft = (view) => ({ ...view, row: { ...view.row, number: "", status: "draft" } });

const row = (page, index) => page.locator(`[role=grid] [data-index='${index}']`);

async function openDocument(page) {
  await row(page, 0).press("Enter");
  await page.locator("[data-detail] dl, [data-detail] ul").first().waitFor();
}

/** What the dialogs over an unchanged list are answered. */
const answersOverList = {
  templates: () => ({ templates: TEMPLATES, unreadable: [] }),
  read_invoice_file: () => READING,
  plan_bulk_run: () => PLAN,
  check_bulk_issue: () => ({ checked: 3, refused: [], next: null }),
  calculate: () => CREDIT,
  print_document: () => ({ images: [PAGE, PAGE], total: 2 }),
};

async function askForBulkRun(page) {
  await row(page, 1).press("Space");
  await page.keyboard.press("Control+Shift+S");
  await page.getByRole("alertdialog").getByRole("definition").first().waitFor();
  await page
    .getByRole("alertdialog")
    .getByText(/none would be refused|ولن يُرفض منها شيء/)
    .waitFor();
}

/** The dialogs over an unchanged list, and then over a document. */
const dialogsOverList = {
  templates: async (page) => {
    await page.keyboard.press("Control+Shift+U");
    await page.getByRole("dialog").getByRole("listitem").nth(1).waitFor();
  },
  "invoice-file": async (page) => {
    await dropOn(page.locator("body"), "invoice-417.xml", "<Invoice/>");
    // A rule is told in both languages, of which the other one is loaded.
    await page.getByRole("dialog").locator("li p[lang]").waitFor();
  },
  "bulk-question": askForBulkRun,
  "credit-note": async (page) => {
    await openDocument(page);
    await page.keyboard.press("Control+Shift+K");
    await page.locator("[data-credit-sum]").getByText("16,375.38").waitFor();
  },
  paper: async (page) => {
    await page.keyboard.press("Control+Shift+P");
    await page.locator(".paper-page").nth(1).waitFor();
  },
};

/** Opens a window with answers in place of those that were recorded, and compares dialogs in it, one after the other. */
async function dialogsLookAsKept(test, browser, appearance, answers, dialogs) {
  const { language, theme } = appearance;
  const { page, errors, close } = await replay(browser, "signedIn", appearance, OPTIONS, (command, args, answer) =>
    command in answers ? answers[command](answer, args) : answer,
  );
  page.setDefaultTimeout(15_000);
  await row(page, 0).waitFor();
  for (const [name, show] of Object.entries(dialogs)) {
    await test(`${name} ${language} ${theme}: looks as kept`, async () => {
      await closeDialog(page);
      await show(page);
      await settled(page);
      await assertLooksAsKept(page, `dialog-${name}-${language}-${theme}`, SIZE.height, MOST);
      assert.deepEqual(errors, []);
    });
  }
  await close();
}

export async function dialogsTests(test, browser) {
  for (const appearance of APPEARANCES) {
    const compare = (answers, dialogs) => dialogsLookAsKept(test, browser, appearance, answers, dialogs);
    await compare(answersOverList, dialogsOverList);
    await compare(...bulkResults());
    await compare(...exportsOfAllStates());
    await compare(...conflict());
  }
  await dialogsLookAsKept(test, browser, HIGH_CONTRAST, answersOverList, { "bulk-question": askForBulkRun });
  await bannersTests(test, browser);
}

async function showBulkResults(page) {
  await page.locator("[data-bulk] button").first().press("Enter");
  await page.getByRole("dialog").getByRole("listitem").nth(2).waitFor();
}

/** The results of a run over the first documents of the list. */
function bulkResults() {
  let rows = [];
  const results = () =>
    rows.slice(0, 3).map((each, index) => ({
      row: index === 2 ? each : { ...each, number: `INV-2026-01${73 + index}`, status: "issued" },
      outcome: index === 2 ? { state: "failed", error: REFUSED } : { state: "done" },
    }));
  const answers = {
    list_invoices: (answer) => {
      ({ rows } = answer);
      return answer;
    },
    bulk_runs: () => [RUN],
    bulk_results: () => ({ results: results(), total: 3 }),
  };
  return [answers, { "bulk-results": showBulkResults }];
}

const NO_SPACE = { kind: "notSaved", problem: "noSpace", reason: "no storage space" };

const exportIn = (state, id) => ({ ...EXPORT, id, state, error: state === "failed" ? NO_SPACE : null });

async function showExports(page) {
  await page.locator("[data-export=failed]").waitFor();
  await page.locator("[data-export-menu]").waitFor();
  await page.keyboard.press("Control+Shift+E");
  await page.getByRole("menuitem").first().and(page.locator(":focus")).waitFor();
}

function exportsOfAllStates() {
  const exports = ["running", "finished", "cancelled", "failed"].map(exportIn);
  return [{ exports: () => exports }, { exports: showExports }];
}

/** Two changes of the first document, which is a draft here. */
function conflict() {
  let theirs;
  const answers = {
    list_invoices: (answer) => ({
      ...answer,
      rows: answer.rows.map((each, index) => (index === 0 ? asDraft({ row: each }).row : each)),
    }),
    get_invoice: (answer) => {
      const view = asDraft(answer);
      const [first, ...others] = view.content.lines;
      const changed = { ...view.content, note: "Deliver to the back door", lines: [{ ...first, quantity: "9" }, ...others] };
      theirs = { ...answer, row: { ...view.row, stamp: "0000000000000000000000000000000f" }, content: changed };
      return view;
    },
    calculate: (answer) => ({ ...answer, violations: [] }),
    save_draft: () => null,
  };
  const show = async (page) => {
    const fail = (command, json) => page.route(`**/commands/${command}`, (route) => route.fulfill({ status: 500, json }));
    await fail("open_draft", { kind: "draftNotFound" });
    await openDocument(page);
    await page.keyboard.press("F2");
    await page.locator('[data-row="0"] [data-cell="quantity"]').fill("8");
    await page.locator('[data-field="note"] textarea').fill("Ring at the gate");
    const support = { ...SUPPORT, operation: "update_document" };
    await fail("update_document", { kind: "aborted", current: theirs, support });
    await page.keyboard.press("Control+Enter");
    await page
      .getByRole("button", { name: /^(Compare|قارن|مقارنة)/ })
      .first()
      .press("Enter");
    await page.getByRole("dialog").locator("[data-conflict]").nth(1).waitFor();
  };
  return [answers, { conflict: show }];
}

async function bannersTests(test, browser) {
  await test("banners, what waits and the help with the clock are accessible, and leave a screen most of a window at 400 %", async () => {
    const { page, errors, close } = await replay(browser, "signedIn", APPEARANCES[0], OPTIONS, withBanners);
    page.setDefaultTimeout(15_000);
    const window = { page, invoke: invokeOf(page) };
    await page.locator("[role=grid] [data-index='0']").waitFor();
    await page.locator("[data-actions]").nth(3).waitFor();
    await assertAccessibleInEachAppearance(window, "the banners");
    await page.locator("[data-waits]").press("Enter");
    await page.getByRole("dialog").getByRole("listitem").waitFor();
    await assertAccessibleInEachAppearance(window, "what waits", { atOneWidth: true });
    await closeDialog(page);
    await page.getByRole("button", { name: "How to set it" }).first().press("Enter");
    await page.getByRole("dialog", { name: /^Set this computer.s clock$/ }).waitFor();
    await assertAccessibleInEachAppearance(window, "how to set the clock", { of: fewAppearances, atOneWidth: true });
    await closeDialog(page);
    assert.deepEqual(errors, []);
    await close();
  });
}
