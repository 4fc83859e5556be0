/** Tests of the content that is derived from an invoice. */

import { expect, test } from "vitest";
import { emptyDetails, emptyLineDetails } from "../editor/details/detailFields";
import { content, row } from "../gallery/fixtures";
import type { InvoiceView } from "../ipc/bindings";
import { creditNoteContent, debitNoteContent, duplicateContent } from "./derivedContent";

const details = {
  ...emptyDetails,
  taxPointDate: "2026-11-14",
  subtype: "STANDARD",
  payee: { ...emptyDetails.payee, name: { ar: "", en: "Factor" } },
  delivery: { ...emptyDetails.delivery, latestDate: "2026-11-20", party: { ar: "", en: "Dock 4" } },
};
const view = { row, content: { ...content, details } } as InvoiceView;

test("a duplicate and a debit note keep the rare fields, but not the dates of the supply", () => {
  for (const derived of [duplicateContent(view), debitNoteContent(view)]) {
    expect(derived.details?.payee.name.en).toBe("Factor");
    expect(derived.details?.delivery).toEqual({ ...details.delivery, latestDate: "" });
    expect(derived.details?.taxPointDate).toBe("");
  }
});

test("a duplicate asks for its whole amount, of no period: what was prepaid was paid for the document before", () => {
  const period = { start: "2026-11-01", end: "2026-11-30" };
  const none = { start: "", end: "" };
  const ofLine = { ...emptyLineDetails, note: "A" };
  const ofDuplicate = { ...ofLine, period: none };
  const lines = view.content.lines.map((line) => structuredClone(line));
  for (const line of lines) line.details = { ...ofLine, period };
  const prepaid = { ...details, prepaid: "500.00", paymentTerms: "30 days", period };
  const duplicate = duplicateContent({ ...view, content: { ...view.content, lines, details: prepaid } });
  expect(duplicate.details).toMatchObject({ prepaid: "", paymentTerms: "30 days", period: none });
  expect(duplicate.lines.map((line) => line.details)).toEqual(lines.map(() => ofDuplicate));
});

test("the exchange rate of a duplicate is typed anew, and a note keeps that of what it corrects", () => {
  const inDollars = { ...details, taxCurrency: "SAR", exchangeRate: "3.75" };
  const invoice = { ...view, content: { ...view.content, details: inDollars } };
  expect(duplicateContent(invoice).details).toMatchObject({ taxCurrency: "SAR", exchangeRate: "" });
  const note = { ...invoice, content: { ...invoice.content, kind: "creditNote" as const } };
  for (const derived of [creditNoteContent(invoice), duplicateContent(note)])
    expect(derived.details).toMatchObject({ taxCurrency: "SAR", exchangeRate: "3.75" });
});

test("a duplicate and a note have the stated type of tax invoice, and one that follows from the buyer stays open", () => {
  for (const subtype of ["SIMPLIFIED", ""]) {
    const stated = { ...view, content: { ...view.content, details: { ...details, subtype } } };
    for (const derived of [duplicateContent(stated), creditNoteContent(stated), debitNoteContent(stated)])
      expect(derived.details?.subtype).toBe(subtype);
  }
});

test("a credit note is about the same supply: it keeps its dates", () => {
  const credited = creditNoteContent(view).details;
  expect([credited?.taxPointDate, credited?.delivery.latestDate]).toEqual(["2026-11-14", "2026-11-20"]);
});

test("a debit note has no note of the invoice, in either language", () => {
  const invoice = { ...view, content: { ...view.content, note: "Thank you", noteAr: "شكرًا لكم" } };
  expect(debitNoteContent(invoice)).toMatchObject({ note: "", noteAr: "" });
});

test("what preceded an invoice is neither corrected by its notes nor named by its duplicate, and a note keeps what it corrects", () => {
  const precedingDocuments = [{ number: "INV-0", issueDate: "2026-10-01" }];
  const preceded = { ...view, content: { ...view.content, details: { ...details, precedingDocuments } } };
  for (const derived of [creditNoteContent(preceded), debitNoteContent(preceded), duplicateContent(preceded)])
    expect(derived.details?.precedingDocuments).toEqual([]);
  const note = { ...preceded, content: { ...preceded.content, kind: "creditNote" as const } };
  expect(duplicateContent(note).details?.precedingDocuments).toEqual(precedingDocuments);
});
