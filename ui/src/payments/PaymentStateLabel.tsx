/** How much of a document is settled, as a shape and a word beside its status. */

import { useLocalizer } from "../i18n/LocalizerProvider";
import type { PaymentState } from "../ipc/bindings";

export function PaymentStateLabel({ state }: { state: PaymentState }) {
  const { t } = useLocalizer();
  const tone = state === "overdue" ? "text-danger" : state === "paid" ? "text-accent" : "text-fg-2";
  return (
    <span data-payment={state} className={`inline-flex min-w-0 items-center gap-1 text-xs ${tone}`}>
      <PaymentIcon state={state} />
      <span className="payment-word truncate">{t(`payment-${state}`)}</span>
    </span>
  );
}

/** Empty circle: open. Half: partly paid. Full with a tick: paid. Circle with hands: overdue. */
function PaymentIcon({ state }: { state: PaymentState }) {
  return (
    <svg width="10" height="10" viewBox="0 0 10 10" aria-hidden="true" className="shrink-0">
      <circle cx="5" cy="5" r="4.25" fill={state === "paid" ? "currentColor" : "none"} stroke="currentColor" strokeWidth="1.25" />
      {state === "partlyPaid" && <path d="M5 0.75a4.25 4.25 0 0 0 0 8.5Z" fill="currentColor" />}
      {state === "paid" && <path d="M2.9 5.1 4.4 6.6 7.2 3.6" fill="none" stroke="var(--color-surface)" strokeWidth="1.3" />}
      {state === "overdue" && <path d="M5 2.4V5.2L6.9 6.4" fill="none" stroke="currentColor" strokeWidth="1.25" />}
    </svg>
  );
}
