/** Tests of the words of a question about a person. */

import { expect, test } from "vitest";
import { createLocalizer, plainText } from "../i18n/localizer";
import type { UserView } from "../ipc/bindings";
import { questionWords } from "./peopleQuestions";

const khalid = { id: "1", username: "khalid", name: "Khalid", roles: ["administrator"] } as unknown as UserView;

test.each(["en", "ar"] as const)("%s: who takes away an own role is told so", (language) => {
  const localizer = createLocalizer(language, "latin");
  const hint = (subject: string) =>
    plainText(questionWords({ user: khalid, kind: "revoke", role: "administrator" }, subject, localizer).hint);
  expect(hint("1")).toMatch(/your own role|دورك أنت/);
  expect(hint("2")).not.toMatch(/your own role|دورك أنت/);
});
