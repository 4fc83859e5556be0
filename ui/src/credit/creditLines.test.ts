/** Tests of the lines of a credit note, and of the quantities that can still be credited. */
import { describe, expect, test } from "vitest";
import { emptyDetails, newAllowanceCharge } from "../editor/details/detailFields";
import { content, view } from "../gallery/fixtures";
import type { LineContent } from "../ipc/bindings";
import { creditLines, creditNoteOf, creditNoteOfOtherLines, isAboveLeft } from "./creditLines";

const [line] = content.lines as [LineContent, LineContent];

describe("credit lines", () => {
  test("begin with all that is left; a line of which nothing is left is not chosen", () => {
    const lines = creditLines([line, { ...line, quantity: "0" }, { ...line, quantity: "0.00" }]);
    expect(lines.map(({ chosen }) => chosen)).toEqual([true, false, false]);
  });
  test("have a quantity of at most what is left, in any digits and to the last decimal", () => {
    const above = (quantity: string, left = "1.5") => isAboveLeft({ line: { ...line, quantity: left }, chosen: true, quantity });
    expect(["1.5", "1.50", "١٫٥", "0", "", "two"].map((text) => above(text))).toEqual(Array<boolean>(6).fill(false));
    expect(["1.500000000000000001", "2", "١٫٦", "1 000"].map((text) => above(text))).toEqual(Array<boolean>(4).fill(true));
    expect([above("-2", "-3"), above("-4", "-3")]).toEqual([false, true]);
    expect(["1,6", "١،٦", "\u200f2"].map((text) => above(text))).toEqual([true, true, true]);
    expect(
      ["1,5", "1,600"].map((text) => above(text)),
      "the second has two readings",
    ).toEqual([false, false]);
  });
  test("become a credit note of the invoice with the chosen lines, positive, under their ids", () => {
    const lines = creditLines(content.lines.map((each, index) => Object.assign({}, each, { id: `L${index}` })));
    const [first, second] = lines as [(typeof lines)[0], (typeof lines)[0]];
    const note = creditNoteOf(view, [
      { ...first, chosen: false },
      { ...second, quantity: "0.5" },
    ]);
    expect(note).toMatchObject({ kind: "creditNote", dueDate: "", correction: { key: view.row.key, number: view.row.number } });
    expect(note.lines).toEqual([{ ...second.line, id: "L1", quantity: "0.5" }]);
  });
  test("that the invoice does not have are credited without the allowances of its lines", () => {
    const allowancesCharges = [newAllowanceCharge("allowance", line, true)];
    const details = { ...emptyDetails, paymentTerms: "30 days", allowancesCharges };
    const note = creditNoteOfOtherLines({ ...view, content: { ...content, details } });
    expect(note).toMatchObject({ kind: "creditNote", details: { paymentTerms: "30 days", allowancesCharges: [] } });
    expect(note.lines).toMatchObject([{ quantity: "1", unitPrice: "", taxCategory: line.taxCategory, taxRate: line.taxRate }]);
  });
});
