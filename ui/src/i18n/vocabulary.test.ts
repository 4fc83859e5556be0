/** One thing has one word in each language (decision 0056), and the name of a button begins with the text that it shows. */

import { expect, test } from "vitest";
import type { Language } from "../ipc/bindings";
import { createLocalizer, plainText } from "./localizer";
import { textsOf } from "./texts";

/** The lines of messages with these words, without comments. */
function linesWith(language: Language, words: RegExp): string[] {
  const lines = textsOf(language).flatMap((text) => text.split("\n"));
  return lines.filter((line) => !line.startsWith("#") && words.test(line));
}

test.each([
  ["en", "Overdue", /past due/i],
  ["en", "Buyer", /customer/i],
  ["en", "Rejected", /authority (has )?refused/i],
  ["en", "Email", /\bmail address|e-mail/i],
  ["ar", "البريد الإلكتروني", /عنوان البريد/],
  ["ar", "تعديل", /تغيير (ال)?(تطبيق|مشترك|باق|صنف)/],
] as const)("%s says %s, and no other word for it", (language, _word, other) => {
  expect(linesWith(language, other)).toEqual([]);
});

test("a client is an organization that one works for: not a buyer, and not an application", () => {
  expect(linesWith("ar", /عميل|عملاء/).map((line) => line.split(" = ")[0])).toEqual(["clients", "clients-name"]);
});

test.each(["en", "ar"] as const)("%s: the name of a button in a row begins with its text", (language) => {
  const { t } = createLocalizer(language, "latin");
  const buttons = [
    [t("tokens"), t("tokens-of", { name: "Till" })],
    [t("column-width"), t("column-width-of", { column: "Till" })],
    [t("act-checkNow"), t("draft-check-of", { draft: "Till" })],
    [t("similar-send"), t("similar-send-of", { draft: "Till" })],
    [t("bulk-open"), t("bulk-open-of", { document: "Till" })],
    [t("keys-change"), t("keys-change-of", { command: "Till" })],
    [t("keys-reset"), t("keys-reset-of", { command: "Till" })],
    [t("keys-change"), t("environment-change", { name: "Till" })],
    [t("keep-new-details"), t("keep-details", { name: "Till" })],
    [t("template-rename"), t("template-rename-of", { name: "Till" })],
    [t("bulk-show"), plainText(t("run-button", { button: t("bulk-show"), run: "Till" }))],
  ] as const;
  expect(buttons.filter(([text, name]) => !name.startsWith(text) || !name.includes("Till"))).toEqual([]);
});
