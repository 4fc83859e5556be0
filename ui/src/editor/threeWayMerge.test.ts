import { describe, expect, test } from "vitest";
import { content } from "../gallery/fixtures";
import { type InvoiceContent } from "../ipc/bindings";
import { getText, withText } from "./paths";
import { changedFields, threeWayMerge } from "./threeWayMerge";

describe("threeWayMerge", () => {
  const mine = (path: string, text: string, from: InvoiceContent = content) => withText(from, path, text);
  test("changes to different fields are merged without conflict", () => {
    const theirs = mine("dueDate", "2026-12-31");
    const { conflicts, resolve } = threeWayMerge(content, mine("note", "Thanks"), theirs);
    expect(conflicts).toEqual([]);
    expect(resolve({})).toEqual(mine("note", "Thanks", theirs));
  });
  test("different changes to one field are a conflict", () => {
    const { conflicts, resolve } = threeWayMerge(content, mine("lines[0].quantity", "450"), mine("lines[0].quantity", "400"));
    expect(conflicts).toEqual([{ field: "lines[0].quantity", base: "500", mine: "450", theirs: "400" }]);
    expect(getText(resolve({ "lines[0].quantity": "mine" }), "lines[0].quantity")).toBe("450");
    expect(getText(resolve({ "lines[0].quantity": "theirs" }), "lines[0].quantity")).toBe("400");
  });
  test("equal changes to one field are no conflict", () => {
    const same = mine("dueDate", "2026-12-31");
    expect(threeWayMerge(content, same, same).conflicts).toEqual([]);
  });
  test("added or removed lines make all lines one conflict", () => {
    const [first] = content.lines;
    if (!first) throw new Error("the sample has lines");
    const theirs = { ...content, lines: [first] };
    const changed = mine("lines[0].quantity", "450");
    const { conflicts, resolve } = threeWayMerge(content, changed, theirs);
    expect(conflicts.map(({ field }) => field)).toEqual(["lines"]);
    expect(resolve({ lines: "theirs" }).lines).toEqual([first]);
    expect(resolve({ lines: "mine" }).lines).toEqual(changed.lines);
    expect(threeWayMerge(content, content, theirs).resolve({}).lines, "unchanged lines take the other side").toEqual([first]);
  });
});

describe("changedFields", () => {
  test("lists each field with both values", () => {
    const after = withText(content, "note", "Thanks");
    expect(changedFields(content, after)).toEqual([{ field: "note", before: getText(content, "note"), after: "Thanks" }]);
    expect(changedFields(content, content)).toEqual([]);
  });
  test("lists the number of lines instead of the lines if it differs", () => {
    const after: InvoiceContent = { ...content, lines: [] };
    expect(changedFields(content, after)).toEqual([{ field: "lines", before: String(content.lines.length), after: "0" }]);
  });
});
