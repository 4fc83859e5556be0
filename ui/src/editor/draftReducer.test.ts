import { describe, expect, test } from "vitest";
import { content } from "../gallery/fixtures";
import { type Draft } from "../ipc/bindings";
import { draftReducer, type EditorAction, initialEditorState, isBlank, withDefaults } from "./draftReducer";
import { parsePastedLines } from "./pastedLines";
import { withText } from "./paths";

const draft: Draft = { key: "k", changes: null, content, state: "editing" };
const after = (...actions: EditorAction[]) => actions.reduce(draftReducer, initialEditorState(draft));
const quantities = (state: ReturnType<typeof after>) => state.draft.content.lines.map(({ quantity }) => quantity);

describe("draftReducer", () => {
  test("lineAdded copies the tax of the previous line", () => {
    const state = after({ type: "categoryChosen", index: 1, category: "Z" }, { type: "lineAdded" });
    expect(state.draft.content.lines[2]).toMatchObject({ taxCategory: "Z", taxRate: "0", unitPrice: "" });
  });
  test("removalUndone restores the line at its index with its id", () => {
    const removed = after({ type: "lineRemoved", index: 0 });
    expect(quantities(removed)).toEqual(["1"]);
    const back = draftReducer(removed, { type: "removalUndone" });
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
  test("removalUndone is not possible after another change to the lines", () => {
    expect(after({ type: "lineRemoved", index: 0 }, { type: "lineAdded" }).removed).toBeNull();
  });
  test("linesPasted overwrites from the index and appends the rest", () => {
    const lines = parsePastedLines("Gloves\t12\t٣٫٥\nMasks\t3\t1,200.00\r\n", "en");
    expect(lines).toEqual([
      { description: { en: "Gloves", ar: "" }, quantity: "12", unitPrice: "٣٫٥" },
      { description: { en: "Masks", ar: "" }, quantity: "3", unitPrice: "1,200.00" },
    ]);
    const state = after({ type: "linesPasted", index: 1, lines: lines ?? [] });
    expect(quantities(state)).toEqual(["500", "12", "3"]);
    expect(new Set(state.lineIds).size).toBe(3);
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
    const opened = withDefaults(empty, "KWD");
    expect([opened.content.currency, opened.content.lines.length]).toEqual(["KWD", 1]);
    expect(withDefaults(draft, "KWD").content).toEqual(content);
  });
  test("a draft without input is blank, and not blank after any input", () => {
    const opened = withDefaults(empty, "SAR");
    expect(isBlank(opened)).toBe(true);
    for (const path of ["note", "dueDate", "buyer.taxId", "lines[0].description.ar", "lines[0].unitPrice"]) {
      expect(isBlank({ ...opened, content: withText(opened.content, path, "1") }), path).toBe(false);
    }
    expect(isBlank({ ...opened, changes: { stamp: "1", content } }), "a document's draft is never blank").toBe(false);
  });
});
