/** Tests of the words of permissions, against the scopes of the service's own definition. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createLocalizer } from "../i18n/localizer";
import { matchesPermission, permissionName, permissionsBySubject } from "./permissionNames";

const definition = join(import.meta.dirname, "../../../crates/contract/proto");
const scopes = readdirSync(definition, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".proto"))
  .flatMap((file) => readFileSync(join(definition, file), "utf8").match(/(?<=\(invoicing\.scope\) = ")[^"]+/g) ?? []);
const english = createLocalizer("en", "latin");
const arabic = createLocalizer("ar", "latin");

describe("permissions", () => {
  test("every scope of the service has words in both languages, and a subject", () => {
    expect(scopes.length).toBeGreaterThan(80);
    for (const scope of scopes) {
      for (const localizer of [english, arabic]) expect(permissionName(scope, localizer)).not.toBe(scope);
    }
    expect(permissionsBySubject(scopes).map(({ subject }) => subject)).not.toContain("other");
  });

  test("no two have the same words within a subject", () => {
    for (const { subject, scopes: members } of permissionsBySubject([...new Set(scopes)])) {
      for (const localizer of [english, arabic]) {
        const names = members.map((scope) => permissionName(scope, localizer));
        expect(new Set(names).size, `${subject}: ${names.join(", ")}`).toBe(names.length);
      }
    }
  });

  test("one that a later version has added is shown by its scope", () => {
    const later = "Service.Later.v9.Get";
    expect(permissionName(later, english)).toBe(later);
    expect(permissionsBySubject([later])).toEqual([{ subject: "other", scopes: [later] }]);
  });

  test("are found by their words in any spelling, and by their scope", () => {
    const issue = "Service.Documents.v2.Modify.Issue";
    expect(matchesPermission(issue, "  ISSUE doc", english)).toBe(true);
    expect(matchesPermission(issue, "اصدار", arabic)).toBe(true);
    expect(matchesPermission(issue, "v2.modify", arabic)).toBe(true);
    expect(matchesPermission(issue, "freeze", english)).toBe(false);
  });
});
