/** Tests of undo and redo over a resolved conflict: the values go back, what somebody else has saved stays, and so does its stamp. */
import { describe, expect, test } from "vitest";
import { threeWayMerge } from "../comparison/threeWayMerge";
import { content } from "../gallery/fixtures";
import type { Draft, InvoiceContent, LineContent } from "../ipc/bindings";
import { draftReducer, type EditorAction, type EditorState, initialEditorState } from "./draftReducer";
import { withText } from "./paths";

const identified = (line: LineContent, index: number): LineContent => ({ ...line, id: String(index + 1) });
const base: InvoiceContent = {
  ...content,
  note: "Base",
  lines: content.lines.map(identified),
};
const [first, second] = base.lines as [LineContent, LineContent];
const draft: Draft = { key: "k", changes: { stamp: "old", content: base }, content: base, state: "editing" };

const after = (state: EditorState, ...actions: EditorAction[]) => actions.reduce(draftReducer, state);
const begun = (...actions: EditorAction[]) => after(initialEditorState({ draft, standardRate: "15" }), ...actions);
const typed = (path: string, text: string): EditorAction => ({ type: "fieldChanged", path, text });
const undone: EditorAction = { type: "undone" };
const redone: EditorAction = { type: "redone" };

/** The state after a conflict with `theirs` was resolved, as the comparison does. */
function resolved(state: EditorState, theirs: InvoiceContent, side: "mine" | "theirs", stamp = "new"): EditorState {
  const old = state.draft.changes?.content ?? expect.fail("the draft is one of a document");
  const merge = threeWayMerge(old, state.draft.content, theirs);
  const choices = Object.fromEntries(merge.conflicts.map(({ id }) => [id, side]));
  return draftReducer(state, {
    type: "rebased",
    draft: { ...state.draft, content: merge.resolve(choices), changes: { stamp, content: theirs } },
    rebase: (before) => threeWayMerge(old, before, theirs).resolve({ addedLines: "both" }),
  });
}

describe("undo after a conflict was resolved", () => {
  const theirs = withText(withText(base, "note", "Theirs"), "dueDate", "2027-02-28");

  test("goes back over what was typed before, and keeps what only the other side has changed", () => {
    const merged = resolved(begun(typed("note", "Mine"), typed("buyer.city", "Abha")), theirs, "mine");
    const once = after(merged, undone);
    expect(once.draft.content).toMatchObject({ note: "Mine", dueDate: "2027-02-28", buyer: { city: base.buyer.city } });
    const twice = after(once, undone);
    expect(twice.draft.content).toMatchObject({ note: "Theirs", dueDate: "2027-02-28", buyer: { city: base.buyer.city } });
    expect(after(twice, undone)).toBe(twice);
  });
  test("brings back an own text that was given up for theirs", () => {
    const merged = resolved(begun(typed("note", "Mine")), theirs, "theirs");
    expect(merged.draft.content.note).toBe("Theirs");
    expect(after(merged, undone).draft.content).toMatchObject({ note: "Mine", dueDate: "2027-02-28" });
    expect(after(merged, undone, undone).draft.content.note).toBe("Theirs");
  });
  test("never brings back the stamp or the base of before", () => {
    const merged = resolved(begun(typed("note", "Mine"), typed("buyer.city", "Abha")), theirs, "mine");
    for (const state of [after(merged, undone), after(merged, undone, undone), after(merged, undone, undone, redone, redone)]) {
      expect(state.draft.changes).toEqual({ stamp: "new", content: theirs });
    }
  });
  test("is taken back by redo, up to the merged content", () => {
    const merged = resolved(begun(typed("note", "Mine"), typed("buyer.city", "Abha")), theirs, "mine");
    expect(after(merged, undone, undone, redone, redone).draft.content).toEqual(merged.draft.content);
  });
  test("goes on after a second conflict", () => {
    const once = resolved(begun(typed("note", "Mine")), theirs, "mine");
    const twice = resolved(
      after(once, typed("buyer.city", "Abha")),
      withText(theirs, "supplyDate", "2027-01-05"),
      "mine",
      "newer",
    );
    const back = after(twice, undone);
    expect(back.draft.content).toMatchObject({ note: "Mine", dueDate: "2027-02-28", supplyDate: "2027-01-05" });
    expect(back.draft.content.buyer.city).toBe(base.buyer.city);
    expect(after(back, undone).draft.content).toMatchObject({ note: "Theirs", supplyDate: "2027-01-05" });
    expect(after(back, undone).draft.changes?.stamp).toBe("newer");
  });
  test("takes one step for each of the own steps that is still one", () => {
    const same = resolved(begun(typed("note", "Theirs"), typed("buyer.city", "Abha")), theirs, "mine");
    const back = after(same, undone);
    expect(back.draft.content.buyer.city).toBe(base.buyer.city);
    // Both have typed the same note: there is nothing to take back.
    expect(after(back, undone)).toBe(back);
  });
});

describe("lines after a conflict was resolved", () => {
  const withLines = (...lines: LineContent[]): InvoiceContent => ({ ...base, lines });
  const ids = ({ draft: { content: now }, lineIds }: EditorState) => now.lines.map(({ id }, at) => [id, lineIds[at]]);
  const ofTheirs: LineContent = { ...first, id: "9", quantity: "7" };

  test("keep their identity where they are the same, and a line of theirs has one of its own", () => {
    const merged = resolved(begun(typed("lines[0].quantity", "450")), withLines(ofTheirs, second, first), "mine");
    expect(ids(merged)).toEqual([
      ["9", 2],
      ["2", 1],
      ["1", 0],
    ]);
    const back = after(merged, undone);
    expect(ids(back)).toEqual(ids(merged));
    expect(back.draft.content.lines[2]?.quantity).toBe(first.quantity);
  });
  test("of theirs are not removed by undo, and an own line is", () => {
    const merged = resolved(begun({ type: "lineAdded" }), withLines(first, second, ofTheirs), "mine");
    expect(merged.draft.content.lines.map(({ id }) => id)).toEqual(["1", "2", ""]);
    // Their line was given up: it comes back first.
    const once = after(merged, undone);
    expect(once.draft.content.lines.map(({ id }) => id).toSorted()).toEqual(["", "1", "2", "9"]);
    expect(new Set(once.lineIds).size).toBe(4);
    expect(after(once, undone).draft.content.lines.map(({ id }) => id)).toEqual(["1", "2", "9"]);
  });
  test("that are added later have ids that no line of before had", () => {
    const merged = resolved(begun(), withLines(first, second, ofTheirs), "mine");
    const added = after(merged, { type: "lineAdded" });
    expect(added.lineIds).toEqual([0, 1, 2, 3]);
  });
});
