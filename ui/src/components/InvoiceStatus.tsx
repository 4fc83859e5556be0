/** Document status as an icon and a label, so that colour is never the only sign. */

import { useLocalizer } from "../i18n/LocalizerProvider";
import type { InvoiceRow, InvoiceStatus } from "../ipc/bindings";
import { PaymentStateLabel } from "../payments/PaymentStateLabel";

/** Dashed circle: draft. Circle: issued. Square: frozen. Triangle: rejected. */
export function StatusIcon({ status }: { status: InvoiceStatus }) {
  return (
    <svg
      width="10"
      height="10"
      viewBox="0 0 10 10"
      aria-hidden="true"
      className={`shrink-0 ${status === "rejected" ? "text-danger" : "text-accent"}`}
    >
      {status === "draft" && (
        <circle cx="5" cy="5" r="4" fill="none" stroke="currentColor" strokeWidth="1.25" strokeDasharray="2.1 2.1" />
      )}
      {status === "issued" && <circle cx="5" cy="5" r="4" fill="none" stroke="currentColor" strokeWidth="1.5" />}
      {status === "frozen" && <rect x="0.5" y="0.5" width="9" height="9" rx="2" fill="currentColor" />}
      {status === "rejected" && <path d="M5 0.5 9.8 9.5H0.2Z" fill="currentColor" />}
    </svg>
  );
}

export function InvoiceStatusLabel({ row }: { row: InvoiceRow }) {
  const { t, format } = useLocalizer();
  // Credit notes have settled a part of it, and nothing was paid.
  const openPart = row.payment === "open" && row.open !== "" && row.open !== row.gross;
  return (
    <span className="inline-flex max-w-full shrink-0 items-center gap-1.5 text-xs">
      <StatusIcon status={row.status} />
      <span className="status-word shrink-0">{t(`status-${row.status}`)}</span>
      {row.payment !== null && row.payment !== "open" && <PaymentStateLabel state={row.payment} kind={row.kind} />}
      {openPart && (
        // A phrase of the language, in which the message isolates the amount.
        <span className="payment-word numeric truncate text-fg-2">
          {t("open-of", { amount: format.money(row.open, row.currency) })}
        </span>
      )}
    </span>
  );
}
