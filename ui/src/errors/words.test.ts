/** The words, places and actions of every row of the table. */

import { describe, expect, test } from "vitest";
import { errors } from "../gallery/fixtures";
import { createLocalizer, plainText } from "../i18n/localizer";
import { textsOf } from "../i18n/texts";
import type { ErrorContext } from "./errorRow";
import { describeError, quietLines } from "./table";
import { rows } from "./tableRows";

const context: ErrorContext = {
  organization: "Noor",
  environment: "Staging",
  otherOrganizations: true,
  lastAnswer: "3 Nov, 09:12",
  number: "INV-7",
  fields: "Due date, Note",
  writesWaiting: 3,
  seconds: 8,
};

const english = createLocalizer("en", "latin");
const arabic = createLocalizer("ar", "latin");

describe("words of the errors", () => {
  test.each(rows.map((row) => [row.name, row] as const))("%s", (_name, { error, retried, words, placement, actions }) => {
    const shown = describeError(error, context, english);
    const text = plainText(retried ? `${shown.text} ${english.t("trying-again", { seconds: 8 })}` : shown.text);
    if (typeof words === "string") expect(text).toBe(words);
    else expect(text).toMatch(words);
    expect(shown.placement).toBe(placement);
    const labels = Object.fromEntries(shown.actions.map((action) => [action, english.t(`act-${action}`)]));
    expect(labels).toEqual(actions);
    const other = describeError(error, context, arabic);
    expect(other.text).toMatch(/\p{Script=Arabic}{3}/u);
    expect(plainText(other.text)).not.toBe(text);
    for (const action of other.actions) expect(arabic.t(`act-${action}`)).toMatch(/\p{Script=Arabic}{3}/u);
  });

  test.each([
    [
      "ABORTED, edits apart",
      "merged",
      "Someone else saved INV-7 while you were editing. Your changes did not overlap and were saved on top.",
      ["Show both"],
    ],
    [
      "ALREADY_EXISTS after our own retry",
      "createdEarlier",
      "INV-7 was already created by your earlier attempt. No second one was made.",
      [],
    ],
  ] as const)("%s is a quiet line", (_name, key, words, labels) => {
    const line = quietLines[key];
    expect(plainText(english.t(line.message, { number: "INV-7" }))).toBe(words);
    expect(arabic.t(line.message, { number: "INV-7" })).toMatch(/\p{Script=Arabic}{3}/u);
    expect([line.severity, line.placement]).toEqual(["info", "inline"]);
    expect(line.actions.map((action) => english.t(`act-${action}`))).toEqual(labels);
  });

  test("a draft that may have arrived is not discarded, and the words say so and what to wait for", () => {
    const [unknown = expect.fail("there is a sample")] = errors.unknownOutcome;
    const error = { ...unknown, support: { ...unknown.support, operation: "discard_draft" } };
    expect(plainText(describeError(error, context, english).text)).toBe(
      "Noor may have received this draft: it is being sent, or it was sent and no answer came. Nothing was discarded. Wait until its outcome is known, which is found out by itself, then try again.",
    );
    expect(describeError(error, context, arabic).text).toContain("لم يُحذف شيء");
  });

  test("Arabic has one name for the tax authority", () => {
    expect(textsOf("ar").filter((text) => /هيئة الضر|لهيئة الضر/.test(text))).toEqual([]);
  });

  test.each([11, 100, 103])("an Arabic verb agrees with the noun of %i things", (count) => {
    const few = count % 100 > 2 && count % 100 < 11;
    const texts = [
      arabic.t("error-invalid", { count, organization: "Noor" }),
      arabic.t("error-not-issuable", { count, number: "INV-7" }),
      arabic.t("error-not-freezable", { count, number: "INV-7" }),
    ].map(plainText);
    expect(texts.map((text) => /(أمرًا|أمر|أمور) (\p{Script=Arabic}+)/u.exec(text)?.[2])).toEqual(
      few ? ["تحتاج", "تحتاج", "تمنع"] : ["يحتاج", "يحتاج", "يمنع"],
    );
  });

  test("a browser that does not come back has its words and ways on", () => {
    const { t } = english;
    expect(t("waiting-slow")).toBe("Still waiting for your browser.");
    expect([t("act-openAgain"), t("act-copyLink"), t("act-paste"), t("act-loopback"), t("cancel")]).toEqual([
      "Open it again",
      "Copy the link",
      "Paste the answer",
      "Use this computer's address instead",
      "Cancel",
    ]);
  });
});
