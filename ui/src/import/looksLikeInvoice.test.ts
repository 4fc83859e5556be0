/** Tests of which pasted texts are taken for an invoice file. */
import { describe, expect, it } from "vitest";
import { looksLikeInvoice } from "./looksLikeInvoice";

describe("looksLikeInvoice", () => {
  it("knows the roots of both syntaxes, with a declaration or without", () => {
    expect(looksLikeInvoice('<Invoice xmlns="urn:oasis">')).toBe(true);
    expect(looksLikeInvoice('\n<?xml version="1.0"?>\n<!-- a -->\n<ubl:CreditNote xmlns:ubl="x">')).toBe(true);
    expect(looksLikeInvoice('<rsm:CrossIndustryInvoice xmlns:rsm="x">')).toBe(true);
  });
  it("leaves every other text to the field", () => {
    expect(looksLikeInvoice("Invoice 2026-01")).toBe(false);
    expect(looksLikeInvoice("a\tb\tc")).toBe(false);
    expect(looksLikeInvoice("<p>Invoices</p>")).toBe(false);
    expect(looksLikeInvoice("see <Invoice >")).toBe(false);
    expect(looksLikeInvoice("")).toBe(false);
  });
});
