// Compares dialogs of the invoices with kept pictures, in English and light, and in Arabic and dark: a bulk run, exports, and a conflict. Their
// answers are made of the recorded ones of the list, so that no core has to bring them about; that it does is tested in the flows of each.
// `node tests/run.mjs dialogs --keep` takes the pictures again, to be looked at. And checks the banners of a session, which are made so too.

import assert from "node:assert/strict";
import { settled } from "./browser.mjs";
import { assertAccessibleInEachAppearance } from "./each-appearance.mjs";
import { assertLooksAsKept } from "./pictures.mjs";
import { replay } from "./recorded-core.mjs";
import { APPEARANCES, MOST, OPTIONS, SIZE } from "./screens-workflow.mjs";
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

export async function dialogsTests(test, browser) {
  for (const appearance of APPEARANCES) {
    const { language, theme } = appearance;
    /** Opens a window with answers in place of the recorded ones, shows a dialog, and compares it. */
    const compare = (name, answers, show) =>
      test(`${name} ${language} ${theme}: looks as kept`, async () => {
        const opened = await replay(browser, "signedIn", appearance, OPTIONS, (command, args, answer) =>
          command in answers ? answers[command](answer, args) : answer,
        );
        const { page, errors, close } = opened;
        page.setDefaultTimeout(15_000);
        /** Answers a command of which nothing is recorded. */
        const answer = (command, json, status = 200) =>
          page.route(`**/commands/${command}`, (route) => route.fulfill({ status, json }));
        await page.locator("[role=grid] [data-index='0']").waitFor();
        await show(page, answer);
        await settled(page);
        await assertLooksAsKept(page, `dialog-${name}-${language}-${theme}`, SIZE.height, MOST);
        assert.deepEqual(errors, []);
        await close();
      });
    const rows = [];
    const keepRows = (answer) => {
      rows.splice(0, rows.length, ...answer.rows);
      return answer;
    };

    await compare("bulk-question", {}, async (page, answer) => {
      await answer("plan_bulk_run", PLAN);
      await answer("check_bulk_issue", { checked: 3, refused: [], next: null });
      await page.locator("[role=grid] [data-index='1']").press("Space");
      await page.keyboard.press("Control+Shift+S");
      await page.getByRole("alertdialog").getByRole("definition").first().waitFor();
      await page
        .getByRole("alertdialog")
        .getByText(/none would be refused|ولن يُرفض منها شيء/)
        .waitFor();
    });
    await compare("bulk-results", { list_invoices: keepRows, bulk_runs: () => [RUN] }, async (page, answer) => {
      const results = rows.slice(0, 3).map((row, index) => ({
        row: index === 2 ? row : { ...row, number: `INV-2026-01${73 + index}`, status: "issued" },
        outcome: index === 2 ? { state: "failed", error: REFUSED } : { state: "done" },
      }));
      await answer("bulk_results", { results, total: results.length });
      await page.locator("[data-bulk] button").first().press("Enter");
      await page.getByRole("dialog").getByRole("listitem").nth(2).waitFor();
    });
    const states = ["running", "finished", "cancelled", "failed"];
    const error = { kind: "notSaved", problem: "noSpace", reason: "no storage space" };
    const exportIn = (state, id) => ({ ...EXPORT, id, state, error: state === "failed" ? error : null });
    const exports = states.map(exportIn);
    await compare("exports", { exports: () => exports }, async (page) => {
      await page.locator("[data-export=failed]").waitFor();
      await page.locator("[data-export-menu]").waitFor();
      await page.keyboard.press("Control+Shift+E");
      await page.getByRole("menuitem").first().and(page.locator(":focus")).waitFor();
    });

    let theirs;
    const draftAnswers = {
      list_invoices: (answer) => ({
        ...answer,
        rows: answer.rows.map((row, index) => (index === 0 ? asDraft({ row }).row : row)),
      }),
      get_invoice: (answer) => {
        const { row, content } = asDraft(answer);
        const [first, ...others] = content.lines;
        const changed = { ...content, note: "Deliver to the back door", lines: [{ ...first, quantity: "9" }, ...others] };
        theirs = { ...answer, row: { ...row, stamp: "0000000000000000000000000000000f" }, content: changed };
        return { ...answer, row, content };
      },
      calculate: (answer) => ({ ...answer, violations: [] }),
    };
    await compare("conflict", draftAnswers, async (page, answer) => {
      await answer("save_draft", null);
      await answer("open_draft", { kind: "draftNotFound" }, 500);
      await page.locator("[role=grid] [data-index='0']").press("Enter");
      await page.locator("[data-detail] dl, [data-detail] ul").first().waitFor();
      await page.keyboard.press("F2");
      await page.locator('[data-row="0"] [data-cell="quantity"]').fill("8");
      await page.locator('[data-field="note"] textarea').fill("Ring at the gate");
      await answer(
        "update_document",
        { kind: "aborted", current: theirs, support: { ...SUPPORT, operation: "update_document" } },
        500,
      );
      await page.keyboard.press("Control+Enter");
      await page
        .getByRole("button", { name: /^(Compare|قارن|مقارنة)/ })
        .first()
        .press("Enter");
      await page.getByRole("dialog").locator("[data-conflict]").nth(1).waitFor();
    });
  }
  await bannersTests(test, browser);
}

async function bannersTests(test, browser) {
  await test("banners and what waits are accessible, and leave a screen most of a window at 400 %", async () => {
    const { page, errors, close } = await replay(browser, "signedIn", APPEARANCES[0], OPTIONS, withBanners);
    page.setDefaultTimeout(15_000);
    const window = { page, invoke: invokeOf(page) };
    await page.locator("[role=grid] [data-index='0']").waitFor();
    await page.locator("[data-actions]").nth(3).waitFor();
    await assertAccessibleInEachAppearance(window, "the banners");
    await page.locator("[data-waits]").press("Enter");
    await page.getByRole("dialog").getByRole("listitem").waitFor();
    await assertAccessibleInEachAppearance(window, "what waits", { atOneWidth: true });
    assert.deepEqual(errors, []);
    await close();
  });
}
