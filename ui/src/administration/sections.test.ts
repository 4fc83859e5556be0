/** Tests of the sections of the administration that permissions open. */
import { expect, test } from "vitest";
import type { Permissions } from "../ipc/bindings";
import { grantableRoles, sectionsOf } from "./sections";

const NONE: Permissions = {
  createDocuments: false,
  listDocuments: false,
  administration: false,
  users: false,
  machineUsers: false,
  audit: false,
  tenants: false,
  plans: false,
  rules: false,
  platformAudit: false,
};

test("the sections are those that the service permits, whatever the role is called", () => {
  expect(sectionsOf(undefined)).toEqual([]);
  expect(sectionsOf({ ...NONE, createDocuments: true })).toEqual([]);
  expect(sectionsOf({ ...NONE, users: true })).toEqual(["people", "plan"]);
  expect(sectionsOf({ ...NONE, rules: true, platformAudit: true })).toEqual(["rules", "platformAudit"]);
});

test("the role of the operator is offered to operators", () => {
  expect(grantableRoles({ ...NONE, users: true })).not.toContain("operator");
  expect(grantableRoles({ ...NONE, users: true, tenants: true })).toContain("operator");
});
