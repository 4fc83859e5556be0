/** Content of a new invoice derived from an existing one: credit note, debit note and duplicate. Its draft is dated today. */

import type { InvoiceContent, InvoiceDetails, InvoiceKind, InvoiceView, LineContent, PeriodContent } from "../ipc/bindings";

const noPeriod: PeriodContent = { start: "", end: "" };

/** Whether credit notes can name such a document: the service refuses one that corrects another credit note (decision 0137). */
export const isCreditable = (kind: InvoiceKind) => kind !== "creditNote";

/** A credit note over the full amount. The user lowers it for a partial credit and gives the reason. */
export function creditNoteContent({ row, content }: InvoiceView): InvoiceContent {
  const { details } = content;
  return {
    ...content,
    kind: "creditNote",
    issueDate: "",
    dueDate: "",
    correction: { key: row.key, number: row.number, issueDate: content.issueDate, reason: "" },
    // What was prepaid or rounded concerns the payment of the invoice, and what preceded the invoice is not corrected.
    ...(details && { details: { ...details, prepaid: "", rounding: "", precedingDocuments: [] } }),
  };
}

/** A debit note without lines: it charges what the invoice did not. */
export function debitNoteContent({ row, content }: InvoiceView): InvoiceContent {
  const { details } = content;
  return {
    ...content,
    kind: "debitNote",
    issueDate: "",
    dueDate: "",
    supplyDate: "",
    lines: [],
    note: "",
    noteAr: "",
    correction: { key: row.key, number: row.number, issueDate: content.issueDate, reason: "" },
    ...(details && {
      details: { ...withoutSupplyDates(details), prepaid: "", rounding: "", allowancesCharges: [], precedingDocuments: [] },
    }),
  };
}

/**
 * The same content, as the service duplicates it (decision 0120): without periods and without what was prepaid, which was paid for the
 * document before. An invoice has no exchange rate either: it is that of its day, and today's is typed. A note keeps what it corrects,
 * without which none is valid, and the rate that counts for that.
 */
export function duplicateContent({ content }: InvoiceView): InvoiceContent {
  const { details } = content;
  const ofInvoice = content.kind === "invoice" ? { exchangeRate: "", precedingDocuments: [] } : {};
  return {
    ...content,
    issueDate: "",
    dueDate: "",
    supplyDate: "",
    lines: content.lines.map(withoutPeriod),
    ...(details && { details: { ...withoutSupplyDates(details), period: noPeriod, prepaid: "", ...ofInvoice } }),
  };
}

/** What belongs to one supply is not repeated: another document has its own. */
function withoutSupplyDates(details: InvoiceDetails): InvoiceDetails {
  return { ...details, taxPointDate: "", delivery: { ...details.delivery, latestDate: "" } };
}

function withoutPeriod(line: LineContent): LineContent {
  return line.details ? { ...line, details: { ...line.details, period: noPeriod } } : line;
}
