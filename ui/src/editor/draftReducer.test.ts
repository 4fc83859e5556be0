/** Tests of the reducer of the draft, and of the defaults of a draft. */
import { describe, expect, test } from "vitest";
import { content } from "../gallery/fixtures";
import type { Draft, LineContent } from "../ipc/bindings";
import { emptyLineDetails, withAllDetails } from "./details/detailFields";
import { draftReducer, type EditorAction, initialEditorState, isBlank, withDefaults } from "./draftReducer";
import { withText } from "./paths";

const draft: Draft = { key: "k", changes: null, content, state: "editing" };
const after = (...actions: EditorAction[]) => actions.reduce(draftReducer, initialEditorState({ draft, standardRate: "15" }));
const quantities = (state: ReturnType<typeof after>) => state.draft.content.lines.map(({ quantity }) => quantity);

describe("draftReducer", () => {
  test("lineAdded copies the tax of the previous line", () => {
    const state = after({ type: "categoryChosen", index: 1, category: "Z" }, { type: "lineAdded" });
    expect(state.draft.content.lines[2]).toMatchObject({ taxCategory: "Z", taxRate: "0", unitPrice: "" });
  });
  test("a category whose rates are those of a single country leaves the rate to be typed", () => {
    const state = after({ type: "categoryChosen", index: 1, category: "L" });
    expect(state.draft.content.lines[1]).toMatchObject({ taxCategory: "L", taxRate: "" });
  });
  test("undone restores a removed line at its index with its id", () => {
    const removed = after({ type: "lineRemoved", index: 0 });
    expect(quantities(removed)).toEqual(["1"]);
    const back = draftReducer(removed, { type: "undone" });
    expect(quantities(back)).toEqual(["500", "1"]);
    expect(back.lineIds).toEqual([0, 1]);
  });
  test("lineMoved keeps the line id and stops at the ends", () => {
    const moved = after({ type: "lineMoved", index: 0, by: 1 });
    expect([quantities(moved), moved.lineIds]).toEqual([
      ["1", "500"],
      [1, 0],
    ]);
    expect(draftReducer(moved, { type: "lineMoved", index: 1, by: 1 })).toBe(moved);
  });
  test("emptyEndRemoved takes away the last lines in which nothing was typed, and one undo brings them back", () => {
    const added = after({ type: "lineAdded" }, { type: "lineAdded" });
    const state = draftReducer(added, { type: "emptyEndRemoved" });
    expect([quantities(state), state.lineIds, state.lineWasRemoved]).toEqual([["500", "1"], [0, 1], false]);
    expect(draftReducer(state, { type: "undone" }).draft.content).toEqual(added.draft.content);
    expect(draftReducer(state, { type: "emptyEndRemoved" }), "there is none").toBe(state);
  });
  test("emptyEndRemoved leaves what was typed, a line of the service, and the first line", () => {
    const added = { type: "lineAdded" } as const;
    const between = after(added, added, { type: "fieldChanged", path: "lines[3].description.ar", text: "توصيل" });
    expect(draftReducer(between, { type: "emptyEndRemoved" })).toBe(between);
    const emptied = after(added, { type: "fieldChanged", path: "lines[2].id", text: "7" });
    expect(draftReducer(emptied, { type: "emptyEndRemoved" })).toBe(emptied);
    const first = after({ type: "lineRemoved", index: 0 }, { type: "lineRemoved", index: 0 }, added, added);
    expect(quantities(draftReducer(first, { type: "emptyEndRemoved" }))).toEqual(["1"]);
  });
  test("the form offers to undo a removal until the next change", () => {
    expect(after({ type: "lineRemoved", index: 0 }).lineWasRemoved).toBe(true);
    expect(after({ type: "lineRemoved", index: 0 }, { type: "fieldChanged", path: "note", text: "a" }).lineWasRemoved).toBe(
      false,
    );
  });
  const typed = (path: string, ...texts: string[]) => texts.map((text): EditorAction => ({ type: "fieldChanged", path, text }));
  test("undone takes back a word at a time, and redone brings it back", () => {
    const state = after(...typed("note", "P", "Pa", "Pai", "Paid", "Paid ", "Paid b", "Paid by"));
    const once = draftReducer(state, { type: "undone" });
    expect(once.draft.content.note).toBe("Paid ");
    const twice = draftReducer(once, { type: "undone" });
    expect(twice.draft.content.note).toBe(content.note);
    expect(draftReducer(draftReducer(twice, { type: "redone" }), { type: "redone" }).draft.content.note).toBe("Paid by");
  });
  test("undone brings back at once what was deleted letter by letter, and then takes back what was typed", () => {
    const state = after(...typed("note", "P", "Pa", "Pai", "Paid", "Pai", "Pa", "P", ""));
    const once = draftReducer(state, { type: "undone" });
    expect(once.draft.content.note).toBe("Paid");
    expect(draftReducer(once, { type: "undone" }).draft.content.note).toBe(content.note);
    expect(draftReducer(once, { type: "redone" }).draft.content.note).toBe("");
  });
  test("undone brings back a text that one letter has replaced", () => {
    const state = after(...typed("note", "1", "12", "7", "70"));
    const once = draftReducer(state, { type: "undone" });
    expect(once.draft.content.note).toBe("7");
    expect(draftReducer(once, { type: "undone" }).draft.content.note).toBe("12");
  });
  test("undone takes back typing in one field before that in another", () => {
    const state = after(...typed("note", "a"), ...typed("buyer.city", "b"));
    const back = draftReducer(state, { type: "undone" });
    expect([back.draft.content.note, back.draft.content.buyer.city]).toEqual(["a", content.buyer.city]);
  });
  test("undone takes back pasted lines in one step, and a change after it forgets what was undone", () => {
    const lines = [{ quantity: "7" }, { quantity: "8" }, { quantity: "9" }];
    const back = draftReducer(after({ type: "linesPasted", index: 1, lines }), { type: "undone" });
    expect(quantities(back)).toEqual(["500", "1"]);
    const changed = draftReducer(back, { type: "lineAdded" });
    expect(draftReducer(changed, { type: "redone" })).toBe(changed);
  });
  test("undone without a step changes nothing", () => {
    const state = after();
    expect(draftReducer(state, { type: "undone" })).toBe(state);
  });
  test("linesPasted inserts after the line of the cursor, and changes no other line", () => {
    const lines = [{ quantity: "12", unitPrice: "٣٫٥" }, { quantity: "3" }];
    const state = after({ type: "linesPasted", index: 0, lines });
    expect(quantities(state)).toEqual(["500", "12", "3", "1"]);
    expect([state.draft.content.lines[0], state.draft.content.lines[3]]).toEqual(after().draft.content.lines);
    expect(new Set(state.lineIds).size).toBe(4);
    expect([state.lineIds[0], state.lineIds[3]]).toEqual([0, 1]);
  });
  test("linesPasted gives the pasted goods nothing of the line before but its tax and unit", () => {
    const before = { ...content.lines[0], exemptionCode: "VATEX-SA-30", details: { ...emptyLineDetails, itemCode: "A-1" } };
    const given: Draft = { ...draft, content: { ...content, lines: [before as LineContent] } };
    const state = draftReducer(initialEditorState({ draft: given, standardRate: "15" }), {
      type: "linesPasted",
      index: 0,
      lines: [{ description: { ar: "", en: "Valve" }, unitPrice: "3" }],
    });
    expect(state.draft.content.lines[1]).toMatchObject({
      description: { ar: "", en: "Valve" },
      quantity: "1",
      details: emptyLineDetails,
      taxCategory: before.taxCategory,
    });
  });
  test("linesPasted keeps a code as the item code of its line, and no code of an empty cell", () => {
    const state = after({ type: "linesPasted", index: 0, lines: [{ itemCode: "A-1", quantity: "2" }, { itemCode: "" }] });
    expect(state.draft.content.lines[1]).toMatchObject({ quantity: "2", details: { ...emptyLineDetails, itemCode: "A-1" } });
    expect(state.draft.content.lines[2]?.details).toBe(emptyLineDetails);
  });
  test("linesPasted gives no rate to a line outside the scope of tax", () => {
    const outside: Draft = { ...draft, content: { ...content, lines: [] } };
    const begun = initialEditorState({ draft: outside, standardRate: null });
    const state = draftReducer(begun, { type: "linesPasted", index: 0, lines: [{ unitPrice: "3", taxRate: "0" }] });
    expect(state.draft.content.lines[0]).toMatchObject({ unitPrice: "3", taxCategory: "O", taxRate: "" });
  });
  test("linesPasted fills empty lines at the cursor", () => {
    const lines = [{ quantity: "7" }, { quantity: "8" }, { quantity: "9" }];
    const state = after({ type: "lineAdded" }, { type: "lineAdded" }, { type: "linesPasted", index: 2, lines });
    expect(quantities(state)).toEqual(["500", "1", "7", "8", "9"]);
    expect(state.lineIds.slice(0, 4)).toEqual([0, 1, 2, 3]);
  });
});

describe("defaults of a draft", () => {
  const empty: Draft = {
    key: "k",
    changes: null,
    state: "editing",
    content: {
      ...content,
      buyer: {
        name: { ar: "", en: "" },
        taxId: "",
        street: "",
        building: "",
        district: "",
        city: "",
        postalCode: "",
        country: "",
      },
      dueDate: "",
      currency: "",
      lines: [],
    },
  };
  test("an empty draft gets a currency and a first line, a document keeps its content", () => {
    const opened = withDefaults(empty, { currency: "KWD", standardRate: null });
    expect([opened.content.currency, opened.content.lines.length]).toEqual(["KWD", 1]);
    expect(opened.content.lines[0]).toMatchObject({ taxCategory: "O", taxRate: "", exemptionCode: "VATEX-EU-O" });
    expect(withDefaults(empty, { currency: "AED", standardRate: "5" }).content.lines[0]).toMatchObject({
      taxCategory: "S",
      taxRate: "5",
    });
    expect(withDefaults(draft, { currency: "KWD", standardRate: null }).content).toEqual(content);
  });
  test("a draft without input is blank, and not blank after any input", () => {
    const opened = withDefaults(empty, { currency: "SAR", standardRate: "15" });
    const defaults = { currency: "SAR", standardRate: "15" };
    const blank = (changed: Draft) => isBlank(changed, defaults, opened.content.issueDate);
    expect(blank(opened)).toBe(true);
    expect(blank({ ...opened, content: withAllDetails(opened.content) }), "with the fields of the form").toBe(true);
    const { lines } = opened.content;
    const added = { ...opened.content, lines: [...lines, ...lines] };
    expect(blank({ ...opened, content: added }), "with a line that was added").toBe(true);
    const lineFields = ["description.ar", "unitPrice", "quantity", "taxRate", "unit", "details.itemCode", "details.period.start"];
    const paths = ["note", "noteAr", "issueDate", "dueDate", "currency", "buyer.taxId", "details.paymentTerms"];
    for (const path of [...paths, ...lineFields.map((field) => `lines[0].${field}`)]) {
      expect(blank({ ...opened, content: withText(withAllDetails(opened.content), path, "2") }), path).toBe(false);
    }
    expect(blank({ ...opened, changes: { stamp: "1", content } }), "a document's draft is never blank").toBe(false);
  });
});
