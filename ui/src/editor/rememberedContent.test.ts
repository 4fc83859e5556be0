/** Tests of what the form takes over from a remembered buyer or item. */
import { describe, expect, test } from "vitest";
import { content } from "../gallery/fixtures";
import type { Draft, ItemView, LineContent, PartyView, PriceView } from "../ipc/bindings";
import { emptyLineDetails, newAllowanceCharge, withAllDetails, withAllowances } from "./details/detailFields";
import { draftReducer, initialEditorState } from "./draftReducer";
import { newLine } from "./invoiceLines";
import { withText } from "./paths";
import { lineOf, withParty } from "./rememberedContent";

const party: PartyView = {
  key: "p",
  stamp: "1",
  buyer: { ...content.buyer, name: { ar: "شركة المعرفة", en: "Knowledge Company" }, taxId: "310000000000003" },
  currency: "USD",
  paymentTerms: "",
  dueTerms: { endOfMonth: false, days: 30 },
  note: "",
};
const price: PriceView = { unitPrice: "12.50", currency: "SAR", taxCategory: "Z", taxRate: "0", exemptionCode: "VATEX-SA-34-4" };
const item: ItemView = { key: "i", stamp: "1", description: { ar: "استشارة", en: "Advice" }, code: "A-1", unit: "HUR", price };
const draft: Draft = { key: "k", changes: null, content: { ...content, issueDate: "2026-11-22", dueDate: "" }, state: "editing" };
const opened = initialEditorState({ draft, standardRate: "15" });
const first = (state: typeof opened) => state.draft.content.lines[0] as LineContent;

describe("a remembered buyer", () => {
  const unpriced = { ...draft.content, lines: [newLine(undefined, "15")] };
  test("fills buyer, currency and due date, and one undo takes all of it back", () => {
    const begun = initialEditorState({ draft: { ...draft, content: unpriced }, standardRate: "15" });
    const filled = draftReducer(begun, { type: "filled", fill: (current) => withParty(current, party) });
    expect(filled.draft.content).toMatchObject({ buyer: party.buyer, currency: "USD", dueDate: "2026-12-22" });
    expect(draftReducer(filled, { type: "undone" }).draft.content).toEqual(begun.draft.content);
  });

  test("leaves the currency of a document with amounts, which would mean something else in another one", () => {
    expect(withParty(draft.content, party)).toMatchObject({ buyer: party.buyer, currency: "SAR" });
    const amounts = ["lines[0].unitPrice", "lines[0].details.grossPrice", "lines[0].details.priceDiscount"];
    const ofDocument = ["details.prepaid", "details.rounding", "details.exchangeRate"];
    for (const path of [...amounts, ...ofDocument]) {
      const given = withText(withAllDetails(unpriced), path, "1");
      expect(withParty(given, party).currency, path).toBe("SAR");
    }
    const allowance = { ...newAllowanceCharge("allowance", undefined, false), amount: "5" };
    for (const line of [null, 0]) {
      const given = withAllowances(withAllDetails(unpriced), line, () => [allowance]);
      expect(withParty(given, party).currency, `allowance of ${line}`).toBe("SAR");
    }
    expect(withParty({ ...draft.content, currency: "" }, party).currency, "no currency is kept").toBe("USD");
  });

  test("gives the terms of its text before those that are remembered, and no due date to a credit note", () => {
    expect(withParty(draft.content, { ...party, paymentTerms: "eom" }).dueDate).toBe("2026-11-30");
    expect(withParty({ ...draft.content, kind: "creditNote" }, party).dueDate).toBe("");
  });

  const withTerms: PartyView = { ...party, paymentTerms: "Net 30", note: "Thank you" };
  const withoutTerms: PartyView = { ...party, key: "q", paymentTerms: "", dueTerms: null, note: "" };
  const own = ({ dueDate, note, details }: typeof content) => [dueDate, details?.paymentTerms, note];

  test("gives its terms of payment in words (BT-20), not over others, and none to a credit note", () => {
    expect(withParty(draft.content, withTerms).details?.paymentTerms).toBe("Net 30");
    const typed = draftReducer(opened, { type: "fieldChanged", path: "details.paymentTerms", text: "At once" });
    expect(withParty(typed.draft.content, withTerms).details?.paymentTerms).toBe("At once");
    expect(withParty({ ...draft.content, kind: "creditNote" }, withTerms).details?.paymentTerms).toBe("");
  });

  test("gives the end of each month, and the document has the terms, until a date is typed", () => {
    const dueTerms = { endOfMonth: true, days: 15 };
    const monthly = { ...party, dueTerms };
    expect(withParty(draft.content, monthly)).toMatchObject({ dueDate: "2026-12-15", dueTerms });
    const inFebruary = { ...draft.content, issueDate: "2028-02-03" };
    expect(withParty(inFebruary, monthly)).toMatchObject({ dueDate: "2028-03-15", dueTerms });
    const typed = { ...draft.content, dueDate: "2026-12-15", dueTerms: null };
    expect(withParty(typed, monthly).dueTerms, "by chance the same").toBeNull();
  });

  test("takes what it has filled with it when another buyer takes its place", () => {
    const filled = withParty(draft.content, withTerms);
    expect(own(filled)).toEqual(["2026-12-22", "Net 30", "Thank you"]);
    expect(own(withParty(filled, withoutTerms, withTerms))).toEqual(["", "", ""]);
  });

  test("leaves what was typed to the next buyer", () => {
    const filled = withParty({ ...draft.content, note: "Urgent" }, withTerms);
    const typed = { ...filled, dueDate: "2027-01-15" };
    expect(own(withParty(typed, withoutTerms, withTerms))).toEqual(["2027-01-15", "", "Urgent"]);
    expect(own(withParty(typed, withoutTerms))).toEqual(["2027-01-15", "Net 30", "Urgent"]);
  });

  test("leaves a due date that was typed, whatever its own terms are, and replaces that of another buyer", () => {
    const typed = draftReducer(opened, { type: "fieldChanged", path: "dueDate", text: "2027-01-15" }).draft.content;
    expect(withParty(typed, withTerms).dueDate).toBe("2027-01-15");
    const filled = withParty(draft.content, withTerms);
    const other: PartyView = { ...withTerms, key: "q", paymentTerms: "", dueTerms: { endOfMonth: false, days: 10 } };
    expect(withParty(filled, other, withTerms).dueDate).toBe("2026-12-02");
    const dated = { ...filled, issueDate: "2026-11-25" };
    expect(withParty(dated, other, withTerms, filled.dueDate).dueDate, "after another issue date").toBe("2026-12-05");
  });
});

describe("a remembered item", () => {
  const choose = (state: typeof opened) =>
    draftReducer(state, {
      type: "lineFilled",
      lineId: 0,
      before: first(opened),
      line: lineOf(item, null, "SAR", first(opened)),
    });

  test("fills description, unit, price and tax, keeps the quantity, and one undo takes all of it back", () => {
    const filled = choose(opened);
    expect(first(filled)).toMatchObject({
      description: item.description,
      unit: "HUR",
      unitPrice: "12.50",
      taxCategory: "Z",
      quantity: first(opened).quantity,
    });
    expect(draftReducer(filled, { type: "undone" }).draft.content).toEqual(opened.draft.content);
  });

  test("keeps what was typed while the last price was asked for", () => {
    const typed = draftReducer(opened, { type: "fieldChanged", path: "lines[0].unitPrice", text: "99" });
    expect(first(choose(typed))).toMatchObject({ unitPrice: "99", unit: "HUR" });
  });

  test("fills its code (BT-155) beside the other details of the line, and takes that of another item away", () => {
    expect(first(choose(opened)).details).toEqual({ ...emptyLineDetails, itemCode: "A-1" });
    const details = { ...emptyLineDetails, itemCode: "A-1", note: "by hand" };
    const line = { unitPrice: "", details };
    expect(lineOf({ ...item, code: "B-2" }, null, "SAR", line).details).toEqual({ ...details, itemCode: "B-2" });
    expect(lineOf({ ...item, code: "" }, null, "SAR", line).details?.itemCode).toBe("");
    expect(lineOf(item, null, "SAR", line)).not.toHaveProperty("details");
  });

  test("has the price of one unit: what the line says of its former price goes, and stays with that price", () => {
    const details = { ...emptyLineDetails, itemCode: "A-1", priceBase: "100", grossPrice: "120", priceDiscount: "5" };
    const line = { unitPrice: "115", details };
    expect(lineOf(item, null, "SAR", line).details).toEqual({ ...emptyLineDetails, itemCode: "A-1" });
    expect(lineOf(item, null, "KWD", line)).not.toHaveProperty("details");
  });

  test("has the last price of the buyer, and no price of another currency", () => {
    const line = { unitPrice: "" };
    expect(lineOf(item, { ...price, unitPrice: "10.00" }, "SAR", line).unitPrice).toBe("10.00");
    expect(lineOf(item, null, "KWD", line).unitPrice).toBe("");
  });

  test("without a price leaves one that was typed, and takes away that of another item", () => {
    const unpriced = { ...item, price: { ...price, unitPrice: "" } };
    expect(lineOf(unpriced, null, "SAR", { unitPrice: "99" }).unitPrice).toBe("99");
    expect(lineOf(item, null, "KWD", { unitPrice: "99" }).unitPrice, "in another currency").toBe("99");
    expect(lineOf(unpriced, null, "SAR", { unitPrice: "12.50" }, "12.50").unitPrice).toBe("");
    expect(lineOf(item, null, "SAR", { unitPrice: "99" }).unitPrice, "an item with a price has its own").toBe("12.50");
  });
});
