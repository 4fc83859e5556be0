/** Tests of the mapping from the path of an error to a field, and of the order of fields. */
// @vitest-environment jsdom
import { describe, expect, test } from "vitest";
import { content } from "../gallery/fixtures";
import { createLocalizer } from "../i18n/localizer";
import {
  adjacentField,
  fieldFor,
  fieldName,
  formFields,
  messagesByField,
  nearestInput,
  ruleMessage,
  toFieldErrors,
} from "./fields";

const english = createLocalizer("en", "latin");
const fields = formFields(content.lines.length, content.correction !== null, "en");

describe("the field of a violation", () => {
  test.each([
    ["lines[1].taxRate", "lines[1].taxRate"],
    ["lines[1].description", "lines[1].description.en"],
    ["buyer.name", "buyer.name.en"],
    ["buyer", "buyer.name.en"],
    ["correction.key", null],
    ["lines[0]", "lines[0].description.en"],
    ["lines", "lines"],
    ["lines[9].quantity", "lines"],
    ["prepaid", null],
    ["expectedTotals.net", null],
  ])("%s is %s", (path, field) => {
    expect(fieldFor(path, fields)).toBe(field);
  });
  test("what concerns all lines is at the heading of the lines, also without lines", () => {
    expect(fieldFor("lines", formFields(0, false, "en"))).toBe("lines");
  });
  test("the summary and the field have the same message", () => {
    const found = toFieldErrors([{ field: "lines[1].taxRate", path: "", rule: "BR-S-05", description: "x" }], fields, english);
    expect(found[0]?.message).toBe(english.t("rule-BR-S-05"));
    expect(messagesByField(found)["lines[1].taxRate"]).toEqual([found[0]?.message]);
  });
  test("what is wrong with the seller is in no form, and is named by the details of the organization", () => {
    const path = "changes.content.invoice.seller.address";
    const [found] = toFieldErrors([{ field: null, path, rule: "BR-KSA-09", description: "x" }], fields, english);
    expect([found?.field, found?.name]).toEqual([null, "Company details"]);
  });
  test("errors are in the order of the form, those without a field last", () => {
    const violation = (field: string) => ({ field, path: field, rule: "", description: "is wrong" });
    const found = toFieldErrors(["prepaid", "lines[0].quantity", "dueDate", "buyer.taxId"].map(violation), fields, english);
    expect(found.map(({ field }) => field)).toEqual(["dueDate", "buyer.taxId", "lines[0].quantity", null]);
  });
  test("an error of a preceding document is at its entry, in a form that corrects one and in one that does not", () => {
    const lists = { allowances: 0, documents: 0, precedingDocuments: 3, otherPayments: 0, buyerIds: 0, lines: [] };
    const fieldsOf = (corrects: boolean) =>
      toFieldErrors(
        ["correction.number", "details.precedingDocuments[1].issueDate"].map((field) => ({
          field,
          path: "",
          rule: "",
          description: "is wrong",
        })),
        formFields(1, corrects, "en", lists),
        english,
      ).map(({ field }) => field);
    expect(fieldsOf(true)).toEqual(["correction.number", "details.precedingDocuments[1].issueDate"]);
    expect(fieldsOf(false)).toEqual(["details.precedingDocuments[0].number", "details.precedingDocuments[2].issueDate"]);
  });
  test("errors of lines are in the order of the lines and of their cells", () => {
    const violation = (field: string) => ({ field, path: field, rule: "", description: "is wrong" });
    const wrong = ["lines[4].quantity", "lines[0].unitPrice", "lines[0].quantity", "lines[0].description"];
    const found = toFieldErrors(wrong.map(violation), formFields(11, false, "en"), english);
    expect(found.map(({ field }) => field)).toEqual([
      "lines[0].description.en",
      "lines[0].quantity",
      "lines[0].unitPrice",
      "lines[4].quantity",
    ]);
  });
  test("the label of a line field has the line number in the digits of the locale", () => {
    expect(fieldName("lines[2].quantity", english)).toMatch(/Quantity.*line.*3/);
    expect(fieldName("lines[2].quantity", createLocalizer("ar", "arabic"))).toMatch(/٣/);
  });
  test("an unknown rule falls back to the description, but never in Arabic", () => {
    const unknown = { field: "note", path: "note", rule: "BR-99", description: "must be short" };
    expect(ruleMessage(unknown, english)).toBe("Must be short.");
    expect(ruleMessage(unknown, createLocalizer("ar", "latin"))).not.toMatch(/short/);
  });
});

describe("adjacentField", () => {
  const form = (...paths: string[]) => {
    document.body.innerHTML = paths.map((path) => `<div data-field="${path}"><input id="${path}"></div>`).join("");
  };
  test("the next field follows a focused field that has no error any more", () => {
    form("dueDate", "buyer.taxId", "note");
    document.getElementById("dueDate")?.focus();
    expect(adjacentField(["buyer.taxId", "note"], 1)).toBe("buyer.taxId");
  });
  test("it wraps around in both directions", () => {
    form("dueDate", "buyer.taxId", "note");
    document.getElementById("note")?.focus();
    expect(adjacentField(["dueDate", "note"], 1)).toBe("dueDate");
    expect(adjacentField(["dueDate", "note"], -1)).toBe("dueDate");
    document.getElementById("dueDate")?.focus();
    expect(adjacentField(["dueDate", "note"], -1)).toBe("note");
  });
});

describe("the nearest input", () => {
  const nearest = (path: string, ...shown: string[]) => {
    document.body.innerHTML = shown.map((each) => `<div data-field="${each}"><input id="${each}"></div>`).join("");
    return nearestInput(path)?.id;
  };
  test("is that of the field, while it is there", () => {
    expect(nearest("lines[1].quantity", "lines[0].quantity", "lines[1].quantity")).toBe("lines[1].quantity");
  });
  test("of a field that its line does not have any more is the first one of the line", () => {
    expect(nearest("lines[1].exemptionCode", "lines[0].exemptionCode", "lines[1].quantity")).toBe("lines[1].quantity");
  });
  test("of a line that is gone is in the line before it, and else where lines are added", () => {
    expect(nearest("lines[2].unit", "lines", "lines[0].unit", "lines[1].quantity", "lines[1].unit")).toBe("lines[1].unit");
    expect(nearest("lines[0].quantity", "lines")).toBe("lines");
  });
  test("of an entry of a list that is gone is what adds an entry, and without that the line", () => {
    const amount = "lines[0].details.allowancesCharges[0].amount";
    expect(nearest(amount, "lines[0].unit", "lines[0].details.allowancesCharges")).toBe("lines[0].details.allowancesCharges");
    expect(nearest(amount, "lines[0].unit")).toBe("lines[0].unit");
  });
  test("is none where the form has nothing of it", () => {
    expect(nearest("", "note")).toBeUndefined();
  });
});
