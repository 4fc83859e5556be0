/** Tests of the texts of filter chips, in both languages. */
// @vitest-environment jsdom
import { expect, test } from "vitest";
import { createLocalizer, plainText } from "../i18n/localizer";
import type { Language } from "../ipc/bindings";
import { type InvoiceFilter, noFilter } from "../queries/invoicePages";
import { facetText } from "./facetText";

test("a facet is formatted with its values, or as its name without any", () => {
  const localizer = createLocalizer("en", "latin");
  expect(plainText(facetText({ ...noFilter, status: ["issued", "frozen"] }, "status", localizer))).toBe("Status: Issued, Frozen");
  expect(plainText(facetText({ ...noFilter, issuedFrom: "2026-01-01" }, "issued", localizer))).toBe("Issued: from 1 Jan 2026");
  expect(facetText(noFilter, "kind", localizer)).toBe("Kind");
});

test("the states of the tax authority are words in both languages", () => {
  const filter: InvoiceFilter = { ...noFilter, submission: ["pending", "unanswered", "rejected"] };
  const text = (language: Language) => plainText(facetText(filter, "submission", createLocalizer(language, "latin")));
  expect(text("en")).toBe("Tax authority: Waiting, Not answered, Rejected");
  expect(text("ar")).toBe("الجهة الضريبية: قيد الانتظار، بلا رد، مرفوضة");
});

test.each([
  [[], "Tax authority: With remarks", "الجهة الضريبية: مع ملاحظات"],
  [["cleared" as const], "Tax authority: Cleared, with remarks", "الجهة الضريبية: معتمدة، مع ملاحظات"],
])("remarks of the tax authority are words in both languages, after the states %j", (submission, english, arabic) => {
  const filter: InvoiceFilter = { ...noFilter, submission, hasWarnings: true };
  const text = (language: Language) => plainText(facetText(filter, "submission", createLocalizer(language, "latin")));
  expect([text("en"), text("ar")]).toEqual([english, arabic]);
});
