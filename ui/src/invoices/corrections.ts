/** New contents that begin with an existing invoice: a credit note that names it, a duplicate that does not. */

import type { InvoiceContent, InvoiceView } from "../ipc/bindings";
import { isoDay } from "../parts/today";

/** Takes the whole invoice back; the person lowers what is only partly taken back, and says why. */
export function creditNote({ row, content }: InvoiceView): InvoiceContent {
  return {
    ...content,
    kind: "creditNote",
    issueDate: isoDay(new Date()),
    dueDate: "",
    correction: { key: row.key, number: row.number, issueDate: content.issueDate, reason: "" },
  };
}

/** The same again, dated today. */
export function duplicate({ content }: InvoiceView): InvoiceContent {
  return { ...content, issueDate: isoDay(new Date()), dueDate: "", supplyDate: "" };
}
