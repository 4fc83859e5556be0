/** New contents that begin with an existing invoice: a credit note that names it, a duplicate that does not. */

import { toIsoDate } from "../components/isoDate";
import type { InvoiceContent, InvoiceView } from "../ipc/bindings";

/** Takes the whole invoice back; the person lowers what is only partly taken back, and says why. */
export function creditNote({ row, content }: InvoiceView): InvoiceContent {
  return {
    ...content,
    kind: "creditNote",
    issueDate: toIsoDate(new Date()),
    dueDate: "",
    correction: { key: row.key, number: row.number, issueDate: content.issueDate, reason: "" },
  };
}

/** The same again, dated today. */
export function duplicate({ content }: InvoiceView): InvoiceContent {
  return { ...content, issueDate: toIsoDate(new Date()), dueDate: "", supplyDate: "" };
}
