/** Tests of the sections of the administration that permissions open. */
import { expect, test } from "vitest";
import type { Permissions } from "../ipc/bindings";
import { sectionsOf } from "./sections";

const NONE: Permissions = {
  createDocuments: false,
  updateDocuments: false,
  deleteDocuments: false,
  issueDocuments: false,
  freezeDocuments: false,
  recordPayments: false,
  voidPayments: false,
  updateParties: false,
  updateItems: false,
  listDocuments: false,
  administration: false,
  users: false,
  machineUsers: false,
  audit: false,
  ownTenant: false,
  tenants: false,
  plans: false,
  rules: false,
  platformAudit: false,
};

test("the sections are those that the service permits, whatever the role is called", () => {
  expect(sectionsOf(undefined)).toEqual([]);
  expect(sectionsOf({ ...NONE, createDocuments: true })).toEqual([]);
  expect(sectionsOf({ ...NONE, users: true })).toEqual(["people", "plan"]);
  expect(sectionsOf({ ...NONE, ownTenant: true })).toEqual(["ownTenant"]);
  expect(sectionsOf({ ...NONE, rules: true, platformAudit: true })).toEqual(["rules", "platformAudit"]);
});
