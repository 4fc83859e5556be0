/** Tests of what a check of rules lists: a part of a long list says how much is left out. */

import { cleanup, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { renderInWorkspace } from "../gallery/renderInWorkspace";
import { plainText } from "../i18n/localizer";
import type { Language, RulesCheck } from "../ipc/bindings";
import { CheckResult } from "./CheckResult";

const cell = (index: number) => ({ role: "viewer", scope: `Service.Part${index}.v2.Get`, allowed: true });
const check: RulesCheck = {
  publishable: true,
  violations: [],
  findings: [],
  changedCells: [],
  changedCellCount: 0,
  losingUsers: [],
  losingUserCount: 0,
  unheldScopes: [],
};
afterEach(cleanup);

function show(changed: Partial<RulesCheck>, language: Language = "en"): string {
  const { container } = renderInWorkspace(<CheckResult check={{ ...check, ...changed }}>{null}</CheckResult>, { language });
  return plainText(container.textContent ?? "");
}

test("cells beyond the 40 that are listed are counted", () => {
  const text = show({ changedCells: Array.from({ length: 50 }, (_, index) => cell(index)), changedCellCount: 1_200 });
  expect(screen.getAllByRole("listitem")).toHaveLength(40);
  expect(text).toContain("and 1,160 more");
});

test("people beyond those that the service names are counted", () => {
  const user = { user: "salem@alkhair.example", organization: "1", roles: ["clerk"], scopes: [] };
  expect(show({ losingUsers: [user], losingUserCount: 3 })).toContain("and 2 more");
});

test("a list that is complete says nothing of more", () => {
  expect(show({ changedCells: [cell(1)], changedCellCount: 1 })).not.toContain("more");
});

test.each([
  ["en", "The role Till allows and forbids nothing.", "The service has no permission Service.Gone.v2.Get."],
  ["ar", "الدور Till لا يسمح بشيء ولا يمنع شيئًا.", "ليس لدى الخدمة الصلاحية Service.Gone.v2.Get."],
] as const)("what is wrong with rules is told in %s, and the words of the service are behind Details", (language, ...words) => {
  const text = show(
    {
      publishable: false,
      violations: [
        { problem: "emptyRole", about: "Till", description: "allows and forbids nothing" },
        { problem: "permission", about: "Service.Gone.v2.Get", description: "is no scope of an operation" },
        { problem: "other", about: "", description: "line 3, column 1: unexpected token" },
      ],
    },
    language,
  );
  for (const each of words) expect(text).toContain(each);
  const said = screen.getByText("line 3, column 1: unexpected token");
  expect([said.lang, said.dir]).toEqual(["en", "ltr"]);
  const trigger = screen.getByRole("button", { name: language === "en" ? "Details" : "التفاصيل" });
  expect(trigger.getAttribute("aria-expanded")).toBe("false");
});
