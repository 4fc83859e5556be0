import { describe, expect, test } from "vitest";
import { content } from "../gallery/fixtures";
import { createLocalizer } from "../i18n/localizer";
import type { Draft, InvoiceContent } from "../ipc/bindings";
import { draftReducer, type EditorAction, initialEditorState, isBlank, withDefaults } from "./draftReducer";
import { adjacentField, fieldFor, fieldName, messagesByField, ruleMessage, toFieldErrors } from "./fields";
import { parsePastedLines } from "./pastedLines";
import { getText, textEntries, withText } from "./paths";
import { threeWayMerge } from "./threeWayMerge";

const english = createLocalizer("en", "latin");
const draft: Draft = { key: "k", changes: null, content, state: "editing" };
const after = (...actions: EditorAction[]) => actions.reduce(draftReducer, initialEditorState(draft));
const quantities = (state: ReturnType<typeof after>) => state.draft.content.lines.map(({ quantity }) => quantity);

describe("paths", () => {
  test("read and replace a text, leaving everything else as it is", () => {
    const changed = withText(content, "lines[1].description.en", "Delivery, Jeddah");
    expect(getText(changed, "lines[1].description.en")).toBe("Delivery, Jeddah");
    expect(changed.lines[0], "other lines are the same objects").toBe(content.lines[0]);
    expect(content.lines[1]?.description.en).toBe("Delivery, Riyadh");
  });
  test("that lead nowhere are empty", () => {
    expect(getText(content, "lines[7].quantity")).toBe("");
    expect(getText(content, "correction.reason")).toBe("");
  });
});

describe("the place of an error", () => {
  test.each([
    ["lines[1].taxRate", "lines[1].taxRate"],
    ["lines[1].description", "lines[1].description.en"],
    ["buyer.name", "buyer.name.en"],
    ["buyer", "buyer.name.ar"],
    ["content.dueDate", "dueDate"],
    ["changes.content.invoice.currency", "currency"],
    ["lines[0].tax.rate.percent", "lines[0].description.ar"],
    ["lines[0]", "lines[0].description.ar"],
    ["lines", "lines[0].description.ar"],
    ["lines[9].quantity", "lines[0].description.ar"],
    ["prepaid", null],
    ["expectedTotals.net", null],
  ])("%s is %s", (path, field) => {
    expect(fieldFor(path, content, "en")).toBe(field);
  });
  test("without lines is the lines themselves", () => {
    expect(fieldFor("lines", { ...content, lines: [] }, "en")).toBe("lines");
  });
  test("has the same words in the summary and at the field", () => {
    const found = toFieldErrors([{ field: "lines[1].taxRate", rule: "BR-S-05", description: "x" }], content, english);
    expect(found[0]?.message).toBe(english.t("rule-BR-S-05"));
    expect(messagesByField(found)["lines[1].taxRate"]).toEqual([found[0]?.message]);
  });
  test("comes in the order of the form, what has no field last", () => {
    const violation = (field: string) => ({ field, rule: "", description: "is wrong" });
    const found = toFieldErrors(["prepaid", "lines[0].quantity", "dueDate", "buyer.taxId"].map(violation), content, english);
    expect(found.map(({ field }) => field)).toEqual(["dueDate", "buyer.taxId", "lines[0].quantity", null]);
  });
  test("is named with its line, in the digits of the language", () => {
    expect(fieldName("lines[2].quantity", english)).toMatch(/Quantity.*line.*3/);
    expect(fieldName("lines[2].quantity", createLocalizer("ar", "arabic"))).toMatch(/٣/);
  });
  test("has words for a rule we do not know, and never English in Arabic", () => {
    const unknown = { field: "note", rule: "BR-99", description: "must be short" };
    expect(ruleMessage(unknown, english)).toBe("Must be short.");
    expect(ruleMessage(unknown, createLocalizer("ar", "latin"))).not.toMatch(/short/);
  });
});

describe("lines", () => {
  test("are added with the tax of the line before", () => {
    const state = after({ type: "categoryChosen", index: 1, category: "Z" }, { type: "lineAdded" });
    expect(state.draft.content.lines[2]).toMatchObject({ taxCategory: "Z", taxRate: "0", unitPrice: "" });
  });
  test("that are removed come back where they were, with their identity", () => {
    const removed = after({ type: "lineRemoved", index: 0 });
    expect(quantities(removed)).toEqual(["1"]);
    const back = draftReducer(removed, { type: "removalUndone" });
    expect(quantities(back)).toEqual(["500", "1"]);
    expect(back.lineIds).toEqual([0, 1]);
  });
  test("move with their identity, and not beyond the ends", () => {
    const moved = after({ type: "lineMoved", index: 0, by: 1 });
    expect([quantities(moved), moved.lineIds]).toEqual([
      ["1", "500"],
      [1, 0],
    ]);
    expect(draftReducer(moved, { type: "lineMoved", index: 1, by: 1 })).toBe(moved);
  });
  test("cannot be brought back once something else was done to the lines", () => {
    expect(after({ type: "lineRemoved", index: 0 }, { type: "lineAdded" }).removed).toBeNull();
  });
  test("that are pasted fill rows from where the cursor is and add the rest", () => {
    const lines = parsePastedLines("Gloves\t12\t٣٫٥\nMasks\t3\t1,200.00\r\n", "en");
    expect(lines).toEqual([
      { description: { en: "Gloves", ar: "" }, quantity: "12", unitPrice: "٣٫٥" },
      { description: { en: "Masks", ar: "" }, quantity: "3", unitPrice: "1,200.00" },
    ]);
    const state = after({ type: "linesPasted", index: 1, lines: lines ?? [] });
    expect(quantities(state)).toEqual(["500", "12", "3"]);
    expect(new Set(state.lineIds).size).toBe(3);
  });
  test("take a single pasted word as text", () => {
    expect(parsePastedLines("Gloves", "en")).toBeNull();
  });
});

describe("two people changed a document", () => {
  const mine = (path: string, text: string, from: InvoiceContent = content) => withText(from, path, text);
  test("what only they changed is taken in, what only I changed stays", () => {
    const theirs = mine("dueDate", "2026-12-31");
    const { conflicts, merged } = threeWayMerge(content, mine("note", "Thanks"), theirs);
    expect(conflicts).toEqual([]);
    expect(merged({})).toEqual(mine("note", "Thanks", theirs));
  });
  test("what both changed is for a person to choose", () => {
    const { conflicts, merged } = threeWayMerge(content, mine("lines[0].quantity", "450"), mine("lines[0].quantity", "400"));
    expect(conflicts).toEqual([{ field: "lines[0].quantity", before: "500", mine: "450", theirs: "400" }]);
    expect(getText(merged({ "lines[0].quantity": "mine" }), "lines[0].quantity")).toBe("450");
    expect(getText(merged({ "lines[0].quantity": "theirs" }), "lines[0].quantity")).toBe("400");
  });
  test("what both changed alike is no conflict", () => {
    const same = mine("dueDate", "2026-12-31");
    expect(threeWayMerge(content, same, same).conflicts).toEqual([]);
  });
  test("lines that came or went are chosen as a whole", () => {
    const [first] = content.lines;
    if (!first) throw new Error("the sample has lines");
    const theirs = { ...content, lines: [first] };
    const changed = mine("lines[0].quantity", "450");
    const { conflicts, merged } = threeWayMerge(content, changed, theirs);
    expect(conflicts.map(({ field }) => field)).toEqual(["lines"]);
    expect(merged({ lines: "theirs" }).lines).toEqual([first]);
    expect(merged({ lines: "mine" }).lines).toEqual(changed.lines);
    expect(threeWayMerge(content, content, theirs).merged({}).lines, "I did not touch them").toEqual([first]);
  });
  test("nothing is ever left out of the comparison", () => {
    expect([...textEntries(content).keys()]).toContain("buyer.name.ar");
    expect([...textEntries(content).keys()]).toContain("lines[1].exemptionCode");
  });
});

describe("opening a draft", () => {
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
  test("gives it a currency and a first line, and leaves a document as it is", () => {
    const opened = withDefaults(empty, "KWD");
    expect([opened.content.currency, opened.content.lines.length]).toEqual(["KWD", 1]);
    expect(withDefaults(draft, "KWD").content).toEqual(content);
  });
  test("and typing nothing leaves nothing behind", () => {
    const opened = withDefaults(empty, "SAR");
    expect(isBlank(opened)).toBe(true);
    for (const path of ["note", "dueDate", "buyer.taxId", "lines[0].description.ar", "lines[0].unitPrice"]) {
      expect(isBlank({ ...opened, content: withText(opened.content, path, "1") }), path).toBe(false);
    }
    expect(isBlank({ ...opened, changes: { stamp: "1", content } }), "a document's draft is never blank").toBe(false);
  });
});

describe("going from error to error", () => {
  const form = (...paths: string[]) => {
    document.body.innerHTML = paths.map((path) => `<div data-field="${path}"><input id="${path}"></div>`).join("");
  };
  test("goes on from a field that was just put right", () => {
    form("dueDate", "buyer.taxId", "note");
    document.getElementById("dueDate")?.focus();
    expect(adjacentField(["buyer.taxId", "note"], 1)).toBe("buyer.taxId");
  });
  test("goes round both ways", () => {
    form("dueDate", "buyer.taxId", "note");
    document.getElementById("note")?.focus();
    expect(adjacentField(["dueDate", "note"], 1)).toBe("dueDate");
    expect(adjacentField(["dueDate", "note"], -1)).toBe("dueDate");
    document.getElementById("dueDate")?.focus();
    expect(adjacentField(["dueDate", "note"], -1)).toBe("note");
  });
});
