/** Tests of the words for a wrong field of an environment. */

import { expect, test } from "vitest";
import { createLocalizer, plainText } from "../i18n/localizer";
import { problemText } from "./problemText";

const english = createLocalizer("en", "latin");

test.each([
  ["name", "Use only small letters a to z, digits and hyphens, 32 at most."],
  ["namespace", "Use only small letters a to z and digits, 32 at most, and begin with a letter."],
  ["clientId", "Use only Latin letters, digits and signs, without spaces, colons and quotation marks."],
  ["projectAudienceId", "Use only Latin letters, digits and signs, without spaces, colons and quotation marks."],
] as const)("a refused character in %s names those that are allowed", (field, words) => {
  expect(problemText({ field, reason: "characters", earlier: null }, english)).toBe(words);
});

test("the name of a removed environment with other addresses says both ways on, and which address is for which field", () => {
  const earlier = "https://id.example.com https://api.example.com";
  const words = plainText(problemText({ field: "name", reason: "otherAddresses", earlier }, english));
  expect(words).toContain("For another service, choose another name.");
  expect(words).toContain(
    "address to sign in at https://id.example.com, address of the service https://api.example.com. Then change it to the new ones.",
  );
});

test("another reason has its words whatever the field", () => {
  expect(problemText({ field: "name", reason: "empty", earlier: null }, english)).toBe("This is needed.");
});
