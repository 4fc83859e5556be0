/** Tests of the three-way merge of a document: what is merged, and what is a conflict. */
import { describe, expect, test } from "vitest";
import { withText } from "../editor/paths";
import { content } from "../gallery/fixtures";
import type { InvoiceContent, LineContent } from "../ipc/bindings";
import { threeWayMerge } from "./threeWayMerge";

const identified = (line: LineContent, index: number): LineContent => ({ ...line, id: String(index + 1) });
const base: InvoiceContent = { ...content, lines: content.lines.map(identified) };
const [first, second] = base.lines as [LineContent, LineContent];
const added: LineContent = { ...first, id: "", description: { ar: "", en: "Added" } };
const withLines = (...lines: LineContent[]): InvoiceContent => ({ ...base, lines });
const names = (merged: InvoiceContent) => merged.lines.map(({ id, description }) => id || description.en);

describe("threeWayMerge", () => {
  test("changes of different fields are merged without a conflict, and named", () => {
    const mine = withText(base, "note", "Thanks");
    const theirs = withText(base, "dueDate", "2026-12-31");
    const { conflicts, merged, resolve } = threeWayMerge(base, mine, theirs);
    expect(conflicts).toEqual([]);
    expect(resolve({})).toEqual(withText(theirs, "note", "Thanks"));
    expect(merged.mine.map(({ subject }) => subject)).toEqual([{ of: "document", path: "note" }]);
    expect(merged.theirs.map(({ subject }) => subject)).toEqual([{ of: "document", path: "dueDate" }]);
  });
  test("different changes of one cell are a conflict, which keeps the own value until it is chosen", () => {
    const { conflicts, resolve } = threeWayMerge(
      base,
      withText(base, "lines[0].quantity", "450"),
      withText(base, "lines[0].quantity", "400"),
    );
    expect(conflicts).toMatchObject([{ id: "line 1 quantity", base: "500", mine: "450", theirs: "400" }]);
    const quantity = (chosen: InvoiceContent) => chosen.lines[0]?.quantity;
    expect(quantity(resolve({}))).toBe("450");
    expect(quantity(resolve({ "line 1 quantity": "theirs" }))).toBe("400");
  });
  test("the terms that have given the own due date are kept, which no document has", () => {
    const dueTerms = { endOfMonth: true, days: 0 };
    const { conflicts, resolve } = threeWayMerge(base, { ...base, dueTerms }, withText(base, "note", "Thanks"));
    expect(conflicts).toEqual([]);
    expect(resolve({})).toEqual({ ...withText(base, "note", "Thanks"), dueTerms });
  });
  test("equal changes are no conflict", () => {
    const same = withText(base, "dueDate", "2026-12-31");
    expect(threeWayMerge(base, same, same).conflicts).toEqual([]);
  });
  test("category and rate of a line are one conflict", () => {
    const { conflicts } = threeWayMerge(
      base,
      withText(base, "lines[0].taxRate", "5"),
      withText(base, "lines[0].taxCategory", "Z"),
    );
    expect(conflicts.map(({ id }) => id)).toEqual(["line 1 tax"]);
  });
  test("a field that a draft of an earlier version lacks is as an empty one", () => {
    const details = { item: "A-1" };
    const theirs = withLines({ ...first, details: { note: "", itemCode: details.item } as never }, second);
    const { conflicts, resolve } = threeWayMerge(base, base, theirs);
    expect(conflicts).toEqual([]);
    expect(resolve({}).lines[0]?.details?.itemCode).toBe("A-1");
  });
});

describe("lines of a three-way merge", () => {
  test("a change of a line that the other side has moved is merged", () => {
    const mine = withLines({ ...first, quantity: "450" }, second);
    const { conflicts, resolve } = threeWayMerge(base, mine, withLines(second, first));
    expect(conflicts).toEqual([]);
    expect(resolve({})).toEqual(withLines(second, { ...first, quantity: "450" }));
  });
  test("a line that one side has removed and the other has not changed is removed", () => {
    expect(names(threeWayMerge(base, withLines(second), base).resolve({}))).toEqual(["2"]);
    expect(names(threeWayMerge(base, base, withLines(second)).resolve({}))).toEqual(["2"]);
  });
  test("a line that one side has removed and the other has changed is a conflict", () => {
    const theirs = withLines({ ...first, quantity: "400" }, second);
    const { conflicts, merged, resolve } = threeWayMerge(base, withLines(second), theirs);
    expect(conflicts).toMatchObject([{ id: "line 1", mine: undefined, theirs: { quantity: "400" } }]);
    expect(merged).toEqual({ mine: [], theirs: [] });
    expect(names(resolve({ "line 1": "mine" }))).toEqual(["2"]);
    expect(names(resolve({ "line 1": "theirs" }))).toEqual(["1", "2"]);
  });
  test("a line that one side has added is kept where it was added", () => {
    expect(names(threeWayMerge(base, withLines(first, added, second), base).resolve({}))).toEqual(["1", "Added", "2"]);
    expect(names(threeWayMerge(base, base, withLines(first, second, { ...added, id: "3" })).resolve({}))).toEqual([
      "1",
      "2",
      "3",
    ]);
  });
  test("of lines that both sides have added, one side's or both can be kept", () => {
    const theirs = withLines(first, second, { ...added, id: "3", quantity: "7" });
    const { conflicts, resolve } = threeWayMerge(base, withLines(first, second, added), theirs);
    expect(conflicts.map(({ id, sides }) => [id, sides])).toEqual([["addedLines", ["mine", "theirs", "both"]]]);
    expect(names(resolve({ addedLines: "mine" }))).toEqual(["1", "2", "Added"]);
    expect(names(resolve({ addedLines: "theirs" }))).toEqual(["1", "2", "3"]);
    expect(names(resolve({ addedLines: "both" })).toSorted()).toEqual(["1", "2", "3", "Added"]);
  });
  test("an own new line never takes the id of a line of the service", () => {
    const copy = { ...first, quantity: "9" };
    const { resolve } = threeWayMerge(base, withLines(first, copy, second), withText(base, "note", "Theirs"));
    expect(resolve({}).lines.map(({ id }) => id)).toEqual(["1", "", "2"]);
  });
  test("two different orders are a conflict", () => {
    const three = withLines(first, second, { ...first, id: "3" });
    const [a, b, c] = three.lines as [LineContent, LineContent, LineContent];
    const { conflicts, resolve } = threeWayMerge(three, withLines(b, a, c), withLines(a, c, b));
    expect(conflicts.map(({ id }) => id)).toEqual(["order"]);
    expect(names(resolve({ order: "mine" }))).toEqual(["2", "1", "3"]);
    expect(names(resolve({ order: "theirs" }))).toEqual(["1", "3", "2"]);
  });
  test("lines without ids are compared by position, and are one conflict if their number differs", () => {
    const changed = withText(content, "lines[0].quantity", "450");
    expect(threeWayMerge(content, changed, withText(content, "note", "Theirs")).conflicts).toEqual([]);
    const shorter = { ...content, lines: content.lines.slice(0, 1) };
    const { conflicts, resolve } = threeWayMerge(content, changed, shorter);
    expect(conflicts.map(({ id }) => id)).toEqual(["lines"]);
    expect(resolve({ lines: "theirs" }).lines).toEqual(shorter.lines);
    expect(resolve({ lines: "mine" }).lines).toEqual(changed.lines);
  });
});
