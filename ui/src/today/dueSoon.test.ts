/** Tests of the sums of what is due soon: they are of what is open, unless that is not known of each document. */

import { expect, test } from "vitest";
import { row } from "../gallery/fixtures";
import type { InvoicePage, InvoiceRow } from "../ipc/bindings";
import { openSums } from "./dueSoon";

const due = (currency: string, gross: string, open: string): InvoiceRow => ({ ...row, currency, gross, open });

function page(rows: InvoiceRow[], total = rows.length): InvoicePage {
  const sums = [{ currency: "SAR", count: total, net: "3000.00", tax: "450.00", gross: "3450.00" }];
  return { rows, total, sums, hasAuthority: false, asOf: "", offline: false };
}

test("an invoice that is paid in part counts with what is open of it, in its currency", () => {
  const rows = [due("SAR", "1150.00", "150.25"), due("KWD", "10.000", "0.005"), due("SAR", "2300.00", "2300.00")];
  expect(openSums(page(rows))).toEqual({
    sums: [
      { currency: "KWD", amount: "0.005" },
      { currency: "SAR", amount: "2450.25" },
    ],
  });
});

test("without documents there are no sums", () => {
  expect(openSums(page([]))).toEqual({ sums: [] });
});

test.each([
  ["more documents than were read", page([due("SAR", "1150.00", "150.25")], 501)],
  ["a document of which it is not known", page([due("SAR", "1150.00", "150.25"), due("SAR", "2300.00", "")])],
])("with %s the sums are those of whole invoices, and are labelled as such", (_, answer) => {
  expect(openSums(answer)).toEqual({ sums: [{ currency: "SAR", amount: "3450.00" }], sumLabel: "gross" });
});
