/** Tests of the words of audit events. */

import { expect, test } from "vitest";
import { createLocalizer } from "../i18n/localizer";
import { personText } from "./auditText";

const english = createLocalizer("en", "latin");
const arabic = createLocalizer("ar", "latin");

test("programs that act without a person have words", () => {
  expect(personText({ id: "seed", name: "" }, english)).toBe("Set up with the environment");
  expect(personText({ id: "seed", name: "" }, arabic)).toBe("أُنشئ مع البيئة");
  expect(personText({ id: "command line", name: "" }, english)).toBe("Command line of the server");
});

test("a person without a name here is shown by the id", () => {
  expect(personText({ id: "310000000000000004", name: "" }, english)).toBe("310000000000000004");
  expect(personText(null, english)).toBe("Unknown");
});
