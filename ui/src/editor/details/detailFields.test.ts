/** Tests of the fields that few documents have: each has a label and a place in the form. */
import { describe, expect, test } from "vitest";
import { content } from "../../gallery/fixtures";
import { createLocalizer } from "../../i18n/localizer";
import { draftReducer, initialEditorState } from "../draftReducer";
import { fieldFor, fieldName, formFields } from "../fields";
import { getText } from "../paths";
import { allowanceCounts, documentGroups, groupOf, newAllowanceCharge, withAllDetails, withAllowances } from "./detailFields";

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
    const fields = formFields(2, false, "en", allowanceCounts(charged));
    expect(fieldFor("lines[1].details.allowancesCharges[0].percent", fields)).toBe(
      "lines[1].details.allowancesCharges[0].percent",
    );
    expect(fieldFor("lines[1].details.allowancesCharges[0]", fields)).toBe("lines[1].details.allowancesCharges[0].amount");
    expect(fieldFor("details.payment.account", fields)).toBe("details.payment.account");
  });
  test("every field of the document has a label, a group and a text", () => {
    const { content: charged } = withCharge(null).draft;
    const details = [...formFields(2, false, "en", allowanceCounts(charged)).keys()].filter((path) =>
      path.startsWith("details."),
    );
    for (const path of details) {
      expect(fieldName(path, english)).not.toBe(path);
      expect(documentGroups).toContain(groupOf(path));
    }
    expect(getText(charged, "details.allowancesCharges[0].taxRate")).toBe("15");
  });
  test("the label of a line's charge names both", () => {
    expect(fieldName("lines[1].details.allowancesCharges[0].amount", english)).toMatch(/Amount.*1.*line.*2/);
  });
});
