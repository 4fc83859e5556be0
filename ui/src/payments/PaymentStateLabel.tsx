/** How much of a document is settled, as a shape and a word beside its status. */

import { useLocalizer } from "../i18n/LocalizerProvider";
import type { InvoiceKind, PaymentState } from "../ipc/bindings";

export function PaymentStateLabel({ state, kind }: { state: PaymentState; kind: InvoiceKind }) {
  const { t } = useLocalizer();
  const settled = state === "paid" || state === "credited";
  const tone = state === "overdue" ? "text-danger" : settled ? "text-accent" : "text-fg-2";
  return (
    <span data-payment={state} className={`inline-flex min-w-0 items-center gap-1 text-xs ${tone}`}>
      <PaymentIcon state={state} />
      <span className="payment-word truncate">{t(paymentWord(state, kind))}</span>
    </span>
  );
}

/** The word of a state. A credit note is paid to the buyer, and is settled by what it corrects. */
function paymentWord(state: PaymentState, kind: InvoiceKind) {
  if (kind === "creditNote" && state === "paid") return "payment-refunded";
  if (kind === "creditNote" && state === "credited") return "payment-set-off";
  return `payment-${state}` as const;
}

/** Empty circle: open. Half: partly paid. Full with a tick: paid. Full with a minus: credited. Arrow back: to refund. Hands: overdue. */
function PaymentIcon({ state }: { state: PaymentState }) {
  const full = state === "paid" || state === "credited";
  return (
    <svg width="10" height="10" viewBox="0 0 10 10" aria-hidden="true" className="shrink-0">
      <circle cx="5" cy="5" r="4.25" fill={full ? "currentColor" : "none"} stroke="currentColor" strokeWidth="1.25" />
      {state === "partlyPaid" && <path d="M5 0.75a4.25 4.25 0 0 0 0 8.5Z" fill="currentColor" />}
      {state === "paid" && <path d="M2.9 5.1 4.4 6.6 7.2 3.6" fill="none" stroke="var(--color-surface)" strokeWidth="1.3" />}
      {state === "credited" && <path d="M2.7 5H7.3" fill="none" stroke="var(--color-surface)" strokeWidth="1.3" />}
      {state === "toRefund" && <path d="M7.2 5H2.9M4.7 3.2 2.9 5 4.7 6.8" fill="none" stroke="currentColor" strokeWidth="1.25" />}
      {state === "overdue" && <path d="M5 2.4V5.2L6.9 6.4" fill="none" stroke="currentColor" strokeWidth="1.25" />}
    </svg>
  );
}
