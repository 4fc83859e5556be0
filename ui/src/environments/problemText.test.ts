/** Tests of the words for a wrong field of an environment. */

import { expect, test } from "vitest";
import { createLocalizer } from "../i18n/localizer";
import { problemText } from "./problemText";

const english = createLocalizer("en", "latin");

test.each([
  ["name", "Use only small letters a to z, digits and hyphens, 32 at most."],
  ["namespace", "Use only small letters a to z and digits, 32 at most, and begin with a letter."],
  ["clientId", "Use only Latin letters, digits and signs, without spaces, colons and quotation marks."],
  ["projectAudienceId", "Use only Latin letters, digits and signs, without spaces, colons and quotation marks."],
] as const)("a refused character in %s names those that are allowed", (field, words) => {
  expect(problemText({ field, reason: "characters" }, english)).toBe(words);
});

test("another reason has its words whatever the field", () => {
  expect(problemText({ field: "name", reason: "empty" }, english)).toBe("This is needed.");
});
