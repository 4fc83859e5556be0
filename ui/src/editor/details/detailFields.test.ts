/** Tests of the fields that few documents have: each has a label and a place in the form. */
import { describe, expect, test } from "vitest";
import { content } from "../../gallery/fixtures";
import { createLocalizer } from "../../i18n/localizer";
import { draftReducer, initialEditorState } from "../draftReducer";
import { fieldFor, fieldName, formFields } from "../fields";
import { getText, textEntries, withEntries } from "../paths";
import {
  documentGroups,
  emptyPayment,
  groupOf,
  listCounts,
  newAllowanceCharge,
  withAllDetails,
  withAllowances,
} from "./detailFields";

const entryOf: Readonly<Record<string, object>> = {
  otherIds: { scheme: "CRN", value: "1010203040" },
  documents: { id: { scheme: "", value: "1" }, typeCode: "", description: "", uri: "" },
  otherPayments: emptyPayment,
  precedingDocuments: { number: "", issueDate: "" },
  classifications: { list: "HS", version: "", code: "8471" },
  attributes: { name: "Colour", value: "Black" },
};
const english = createLocalizer("en", "latin");
const started = () => initialEditorState({ draft: { key: "k", changes: null, content, state: "editing" }, standardRate: "15" });
const withCharge = (line: number | null) =>
  draftReducer(started(), {
    type: "filled",
    fill: (before) =>
      withAllowances(before, line, (items) => [...items, newAllowanceCharge("charge", before.lines[0], line === null)]),
  });

describe("details of the form", () => {
  test("a draft without details gets all of them, so that each path leads to a text", () => {
    const state = draftReducer(started(), { type: "fieldChanged", path: "lines[1].details.period.end", text: "2026-11-30" });
    expect(state.draft.content.lines[1]?.details).toMatchObject({ itemCode: "", period: { start: "", end: "2026-11-30" } });
    expect(withAllDetails(state.draft.content)).toBe(state.draft.content);
  });
  test("a charge of the document has the tax of the first line, and that of a line has none", () => {
    expect(withCharge(null).draft.content.details?.allowancesCharges[0]).toMatchObject({
      kind: "charge",
      taxCategory: "S",
      taxRate: "15",
    });
    expect(withCharge(1).draft.content.lines[1]?.details?.allowancesCharges[0]).toMatchObject({
      kind: "charge",
      taxCategory: "",
    });
  });
  test("one undo takes a charge back", () => {
    expect(draftReducer(withCharge(1), { type: "undone" }).draft.content.lines[1]?.details?.allowancesCharges).toEqual([]);
  });
  test("the form has inputs for those allowances and charges that the content has", () => {
    const { content: charged } = withCharge(1).draft;
    const fields = formFields(2, false, "en", listCounts(charged));
    expect(fieldFor("lines[1].details.allowancesCharges[0].percent", fields)).toBe(
      "lines[1].details.allowancesCharges[0].percent",
    );
    expect(fieldFor("lines[1].details.allowancesCharges[0]", fields)).toBe("lines[1].details.allowancesCharges[0].amount");
    expect(fieldFor("details.payment.account", fields)).toBe("details.payment.account");
  });
  test("every field of the document has a label, a group and a text", () => {
    const { content: charged } = withCharge(null).draft;
    const details = [...formFields(2, false, "en", listCounts(charged)).keys()].filter((path) => path.startsWith("details."));
    for (const path of details) {
      expect(fieldName(path, english)).not.toBe(path);
      expect(documentGroups).toContain(groupOf(path));
    }
    expect(getText(charged, "details.allowancesCharges[0].taxRate")).toBe("15");
  });
  test("every field of the buyer, the document and the lines leads to a text and has a label in both languages", () => {
    const filled = [
      "buyer.details.otherIds",
      "details.precedingDocuments",
      "details.documents",
      "details.otherPayments",
      "lines[1].details.classifications",
      "lines[1].details.attributes",
    ].reduce(
      (before, path) => withEntries(before, path, (entries) => [...entries, entryOf[path.replace(/^.*\./, "")]]),
      withCharge(1).draft.content,
    );
    const paths = [...formFields(2, false, "en", listCounts(filled)).keys()].filter((path) => path.includes("details."));
    expect(paths).toContain("buyer.details.otherIds[0].value");
    expect(paths).toContain("lines[1].details.attributes[0].name");
    expect(paths).toContain("details.otherPayments[0].mandate.payerAccount");
    const texts = textEntries(filled);
    expect(paths.filter((path) => !texts.has(path))).toEqual([]);
    for (const localizer of [english, createLocalizer("ar", "arabic")])
      expect(paths.filter((path) => fieldName(path, localizer).includes("details"))).toEqual([]);
    // Every text of the form that is no heading has an input.
    const without = [...texts.keys()].filter((path) => path.includes("details.") && !paths.includes(path));
    expect(without.filter((path) => !/allowancesCharges\[\d\]\.(?:kind|taxCategory|taxRate|exemptionCode)$/.test(path))).toEqual(
      [],
    );
  });
  test("an error that asks for an identifier leads to the button that adds one, and one of an identifier to its field", () => {
    const { content: before } = started().draft;
    const path = "buyer.details.otherIds";
    expect(fieldFor(path, formFields(2, false, "en", listCounts(before)))).toBe(path);
    const added = withEntries(before, path, (entries) => [...entries, entryOf["otherIds"]]);
    expect(fieldFor(`${path}[0]`, formFields(2, false, "en", listCounts(added)))).toBe(`${path}[0].scheme`);
  });
  test("one undo takes an identifier of the buyer back", () => {
    const path = "buyer.details.otherIds";
    const added = draftReducer(started(), {
      type: "filled",
      fill: (before) => withEntries(before, path, (entries) => [...entries, entryOf["otherIds"]]),
    });
    expect(getText(added.draft.content, `${path}[0].scheme`)).toBe("CRN");
    expect(draftReducer(added, { type: "undone" }).draft.content.buyer.details?.otherIds).toEqual([]);
  });
  test("the name of a field of a party says whose it is", () => {
    const plain = (path: string) => fieldName(path, english).replace(/[\u2068\u2069]/g, "");
    expect(plain("buyer.details.otherIds[1].value")).toBe("Buyer: Identifier 2");
    expect(plain("buyer.details.legalId.scheme")).toBe("Buyer: Registration number: type");
    expect(plain("details.delivery.address.city")).toBe("Delivery: City");
    expect(plain("lines[1].details.attributes[0].name")).toMatch(/Attribute 1.*line 2/);
  });
  test("the label of a line's charge names both", () => {
    expect(fieldName("lines[1].details.allowancesCharges[0].amount", english)).toMatch(/Amount.*1.*line.*2/);
  });
});
