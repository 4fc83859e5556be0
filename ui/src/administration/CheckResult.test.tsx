/** Tests of what a check of rules lists: a part of a long list says how much is left out. */

import { cleanup, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { renderInWorkspace } from "../gallery/renderInWorkspace";
import type { RulesCheck } from "../ipc/bindings";
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

function show(changed: Partial<RulesCheck>): string {
  const { container } = renderInWorkspace(<CheckResult check={{ ...check, ...changed }}>{null}</CheckResult>);
  return (container.textContent ?? "").replace(/[\u2068\u2069]/g, "");
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
