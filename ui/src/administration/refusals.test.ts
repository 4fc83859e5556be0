/** Tests that every refusal of the administration has words. */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { support } from "../gallery/fixtures";
import { createLocalizer } from "../i18n/localizer";
import type { CommandError } from "../ipc/bindings";
import { commandAccess } from "../ipc/commandNames";
import { messageOf, messageOfField, messageOfReason, refusedFields, WITHOUT_COMMAND } from "./refusals";

const crates = join(import.meta.dirname, "../../../crates");
/** Where the service names the reasons of its administration: identity, authorization rules, plans, tax authorities. */
const sources = [
  "identity/src/administration",
  "gateway/src/rules/error.rs",
  "gateway/src/plans/error.rs",
  "gateway/src/clearance/authority_error.rs",
];
/** The general words of errors fit. */
const GENERAL = new Set(["INTERNAL"]);
/** Kinds of findings of a check of the rules, which `finding-rules-*` words. */
const FINDINGS = new Set(["ADMINISTRATION_LOCKED_OUT", "PUBLISHER_GAINS", "PUBLISHER_LOCKED_OUT", "RULES_LOCKED_OUT"]);

function filesOf(path: string): string[] {
  if (path.endsWith(".rs")) return [path];
  return readdirSync(path, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".rs"))
    .map((file) => join(path, file));
}

function reasonsOf(source: string): string[] {
  const text = filesOf(join(crates, source))
    .map((file) => readFileSync(file, "utf8"))
    .join("\n");
  return [...new Set([...text.matchAll(/"([A-Z]+(?:_[A-Z]+)+)"/g)].map((match) => match[1] ?? ""))].toSorted();
}

const reasons = [...new Set(sources.flatMap(reasonsOf))].filter((reason) => !GENERAL.has(reason) && !FINDINGS.has(reason));

describe("reasons of the administration", () => {
  test("are found in the sources of the service", () => {
    expect(reasons).toContain("USER_EXISTS");
    expect(reasons).toContain("PLAN_IN_USE");
    expect(reasons.length).toBeGreaterThan(45);
  });

  test.each(reasons)("%s has words, or belongs to an operation that has no command", (reason) => {
    expect(messageOfReason(reason) !== undefined).toBe(!WITHOUT_COMMAND.has(reason));
  });

  test("the reasons without words belong to operations that have no command", () => {
    expect([...WITHOUT_COMMAND].filter((reason) => !reasons.includes(reason))).toEqual([]);
    expect(Object.keys(commandAccess).filter((name) => /application|domain|signing_key/.test(name))).toEqual([]);
  });
});

function failed(
  kind: "alreadyExists" | "failedPrecondition" | "planLimit" | "notFound" | "aborted",
  reason: string,
): CommandError {
  const told = { ...support, operation: "create_tenant", reason };
  switch (kind) {
    case "planLimit":
    case "notFound":
      return { kind, support: told };
    default:
      return { kind, current: null, support: told };
  }
}

describe("refusals in words", () => {
  test.each([
    ["planLimit", "PLAN_LIMIT", "administration-error-user-limit"],
    ["alreadyExists", "TENANT_EXISTS", "administration-error-tenant-exists"],
    ["alreadyExists", "DOMAIN_TAKEN", "administration-error-domain-taken"],
    ["alreadyExists", "PLAN_EXISTS", "administration-error-plan-exists"],
    ["alreadyExists", "USER_EXISTS", "administration-error-exists"],
    ["alreadyExists", "OF_A_LATER_VERSION", "administration-error-already"],
    ["failedPrecondition", "OF_A_LATER_VERSION", "administration-error-state"],
    ["notFound", "TENANT_NOT_FOUND", "administration-error-tenant-gone"],
    ["aborted", "DIRECTORY_CHANGED", "administration-error-directory-changed"],
    ["aborted", "STAMP_MISMATCH", "administration-error-stale"],
  ] as const)("%s with the reason %s reads %s", (kind, reason, message) => {
    expect(messageOf(failed(kind, reason))).toBe(message);
  });

  test("a machine user that is there already was added by an attempt whose answer was lost, with its secret", () => {
    const told = { ...support, operation: "create_machine_user", reason: "USER_EXISTS" };
    const message = messageOf({ kind: "alreadyExists", current: null, support: told });
    expect(message).toBe("administration-error-secret-lost");
  });

  test.each([
    ["create_plan", "administration-error-unknown-outcome"],
    ["publish_rules", "administration-error-unknown-outcome"],
    ["mint_personal_token", "administration-error-unknown-token"],
    ["create_tenant", "administration-error-unknown-tenant"],
    ["impersonate", "administration-error-unknown-impersonation"],
  ])("%s without an answer reads %s, and not that it is checked in the drafts", (operation, message) => {
    expect(messageOf({ kind: "unknownOutcome", key: null, support: { ...support, operation } })).toBe(message);
  });

  test("a full plan speaks of people, not of documents", () => {
    const { t } = createLocalizer("en", "latin");
    expect(t("administration-error-user-limit", { organization: "Noor" })).toContain("allows no more people");
  });
});

describe("refused fields in words", () => {
  test.each([
    ["username", "invalid-username"],
    ["roles[0]", "invalid-role"],
    ["profile.address.postalCode", "invalid-postal-code"],
    ["tenant.registrationNumber.value", "invalid-registration-number"],
    ["plan.entitlements.languages.values[1]", "invalid-languages"],
    ["plan.limits.users", "invalid-limit-users"],
    ["authority.kinds[2]", "invalid-kinds"],
    ["credentials.username", "invalid-authority-username"],
  ])("%s", (path, message) => {
    expect(messageOfField(path)).toBe(message);
  });

  test("a rule about the form of a field says which form", () => {
    expect(messageOfField("tenant.address.postalCode", "BR-KSA-66")).toBe("invalid-postal-code-digits");
    expect(messageOfField("tenant.address.postalCode", "OF-A-LATER-VERSION")).toBe("invalid-postal-code");
  });

  test("a field is named once, and fields without words share one line", () => {
    const violations = ["name", "name", "concurrencyStamp", "text"].map((path) => ({ path }));
    expect(refusedFields(violations)).toEqual(["invalid-name", null]);
  });
});
