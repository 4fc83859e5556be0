/** Content of a new invoice derived from an existing one: credit note and duplicate. */

import { toIsoDate } from "../components/isoDate";
import type { InvoiceContent, InvoiceView } from "../ipc/bindings";

/** A credit note over the full amount. The user lowers it for a partial credit and gives the reason. */
export function creditNoteContent({ row, content }: InvoiceView): InvoiceContent {
  return {
    ...content,
    kind: "creditNote",
    issueDate: toIsoDate(new Date()),
    dueDate: "",
    correction: { key: row.key, number: row.number, issueDate: content.issueDate, reason: "" },
  };
}

/** The same content, dated today. */
export function duplicateContent({ content }: InvoiceView): InvoiceContent {
  return { ...content, issueDate: toIsoDate(new Date()), dueDate: "", supplyDate: "" };
}
