/** Tests of the words of an event's further values, and of what a change has replaced. */
import { describe, expect, it } from "vitest";
import { createLocalizer, plainText } from "../i18n/localizer";
import { shownDetails } from "./auditDetails";

function shown(language: "en" | "ar", details: Record<string, string>): string[] {
  const pairs = Object.entries(details).map(([name, value]) => ({ name, value }));
  const localizer = createLocalizer(language, "latin");
  return shownDetails(pairs, localizer).map(({ name, label, text }) => plainText(`${label ?? `<${name}>`}: ${text}`));
}

describe("the further values of an event", () => {
  it("show what a change has replaced beside what it is now, in both languages", () => {
    const change = { users: "20", users_before: "10", api_access: "no", api_access_before: "yes" };
    expect(shown("en", change)).toEqual(["People: 10 → 20", "Access for programs: yes → no"]);
    expect(shown("ar", change)).toEqual(["الأشخاص: 10 ← 20", "وصول البرامج: نعم ← لا"]);
  });

  it("show what was added alone, and what was deleted as gone", () => {
    expect(shown("en", { document_kinds: "INVOICE CREDIT_NOTE", languages: "all" })).toEqual([
      "Kinds of documents: Invoice, Credit note",
      "Languages of documents: all",
    ]);
    expect(shown("en", { languages_before: "none" })).toEqual(["Languages of documents: none → nothing"]);
  });

  it("say of a limit that is not set no word that reads as zero", () => {
    const change = { users: "0", users_before: "none" };
    expect(shown("en", change)).toEqual(["People: no limit set → 0"]);
    expect(shown("ar", change)).toEqual(["الأشخاص: بلا حد محدد ← 0"]);
  });

  it("name the fields whose text is not kept", () => {
    const fields = { fields: "name profile.address.street credentials" };
    const [text] = shown("en", fields);
    expect(text).toMatch(/: name, street, credentials$/);
    expect(shown("ar", fields)[0]).toMatch(/: الاسم، الشارع، بيانات الاعتماد$/);
  });

  it("name roles, permissions and organizations that the window knows", () => {
    expect(shown("en", { role: "clerk" })).toEqual(["Role: Clerk"]);
    expect(shown("ar", { role: "clerk" })[0]).not.toContain("clerk");
    const added = "clerk Service.Parties.v2.Get, auditor Service.Later.v9.Get";
    expect(shown("en", { added })).toEqual(["Added: Clerk: Open buyers and sellers, auditor: Service.Later.v9.Get"]);
    const organizations = new Map([["7", "Andalus"]]);
    const detail = [{ name: "organization", value: "7" }];
    const [known] = shownDetails(detail, createLocalizer("en", "latin"), { organization: organizations });
    expect(plainText(known?.text ?? "")).toBe("Andalus");
    expect(shown("en", { organization: "7" })).toEqual(["Organization: 7"]);
  });

  it("show what this window does not know as it is", () => {
    expect(shown("en", { later: "1", later_before: "0" })).toEqual(["<later>: 0 → 1"]);
  });
});
