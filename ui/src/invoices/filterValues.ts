/** The values that a filter of the list can be set to. No first screen needs them. */

import type { InvoiceKind, InvoiceStatus, PaymentState, SubmissionState } from "../ipc/bindings";

export const statuses: readonly InvoiceStatus[] = ["draft", "issued", "frozen", "rejected"];
export const payments: readonly PaymentState[] = ["open", "partlyPaid", "overdue", "paid", "credited", "toRefund"];
export const submissions: readonly SubmissionState[] = ["pending", "unanswered", "cleared", "reported", "accepted", "rejected"];
export const kinds: readonly InvoiceKind[] = ["invoice", "creditNote", "debitNote"];
