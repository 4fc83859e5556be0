/** Payments and refunds of a document in its detail: what is open, what was paid, recording and voiding. */

import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { NameText, NumericText, Separator } from "../components/BidiText";
import { Button } from "../components/Button";
import { keepFocus } from "../components/keepFocus";
import { useShortcut } from "../components/shortcuts";
import { ErrorNotice } from "../errors/ErrorNotice";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { InvoiceRow, PaymentsView, PaymentView } from "../ipc/bindings";
import { commandError } from "../ipc/call";
import { paymentsQuery } from "../queries/paymentsQuery";
import { useDocumentPermissions } from "../queries/permissionsQuery";
import { useWorkspace } from "../state/workspace";
import { PaymentStateLabel } from "./PaymentStateLabel";
import { RecordPaymentDialog } from "./RecordPaymentDialog";
import { VoidPaymentDialog } from "./VoidPaymentDialog";

/**
 * Whether a document can have payments: it is numbered. That of a credit note is a refund. A rejected one has what was paid before the tax
 * authority answered, which goes back (decision 0124).
 */
export function hasPayments({ status }: InvoiceRow): boolean {
  return status !== "draft";
}

export function PaymentsSection({ row }: { row: InvoiceRow }) {
  const { t } = useLocalizer();
  const { organization } = useWorkspace();
  const [recording, setRecording] = useState(false);
  const [voiding, setVoiding] = useState<PaymentView | null>(null);
  const query = useQuery(paymentsQuery(organization.id, row.key));
  const state = query.data?.balance?.state;
  const refunds = state === "toRefund";
  const { recordPayments, voidPayments } = useDocumentPermissions();
  const isOpen = state !== undefined && state !== "paid" && state !== "credited";
  // The button that opened a dialog is gone when its payment is voided or all is paid.
  const section = useRef<HTMLElement>(null);
  const hasDialog = recording || voiding !== null;
  const hadDialog = useRef(false);
  useEffect(() => {
    if (hadDialog.current && !hasDialog) keepFocus(() => section.current);
    hadDialog.current = hasDialog;
  }, [hasDialog]);
  useShortcut("recordPayment", () => setRecording(true), isOpen && recordPayments);
  const error = query.error && commandError(query.error);
  const notice = error && <ErrorNotice error={error} variant="inline" handlers={{ tryNow: () => void query.refetch() }} />;
  if (!query.data?.balance) {
    // A role that may not read payments sees the invoice without them.
    return notice && error?.kind !== "permissionDenied" ? <div className="mt-4">{notice}</div> : null;
  }
  return (
    <section ref={section} tabIndex={-1} aria-labelledby="section-payments" className="mt-4 flex flex-col gap-2 outline-none">
      <div className="flex min-h-7 items-center gap-2">
        <h3 id="section-payments" className="font-semibold">
          {t("section-payments")}
        </h3>
        <PaymentStateLabel state={query.data.balance.state} kind={row.kind} />
        <span className="flex-1" />
        {isOpen && recordPayments && (
          <Button size="sm" shortcut="recordPayment" onPress={() => setRecording(true)}>
            {t(refunds ? "record-refund" : "record-payment")}
          </Button>
        )}
      </div>
      {/* Above what was read last, and beside an open dialog: what is typed there stays. */}
      {notice}
      <Entries view={query.data} onVoid={voidPayments ? setVoiding : null} />
      {recording && <RecordPaymentDialog row={row} onClose={() => setRecording(false)} />}
      {voiding && <VoidPaymentDialog row={row} payment={voiding} onClose={() => setVoiding(null)} />}
    </section>
  );
}

/** `onVoid`: `null` for somebody who may not void payments. */
function Entries({ view, onVoid }: { view: PaymentsView; onVoid: ((payment: PaymentView) => void) | null }) {
  const { t, format } = useLocalizer();
  const { balance, payments } = view;
  if (!balance) return null;
  const money = (amount: string) => format.money(amount, balance.currency);
  // Of a credit note: what it took off what it corrects.
  const credited = balance.credited.replace(/^-/, "");
  const owed = balance.open.startsWith("-");
  // An entry that voids another is shown at that.
  const reasons = new Map(payments.filter(({ voids }) => voids !== "").map((entry) => [entry.voids, entry]));
  const shown = payments.filter(({ voids }) => voids === "");
  return (
    <div className="rounded-md border border-line-strong bg-surface">
      {shown.length > 0 && (
        <ul aria-label={t("section-payments")}>
          {shown.map((payment) => {
            const voided = reasons.get(payment.key);
            return (
              <li key={payment.key} className="border-line border-b px-3 py-2">
                <div className="flex items-baseline gap-3">
                  <span className="min-w-0 flex-1">
                    <span className="numeric">{format.date(payment.date)}</span>
                    {payment.refund && (
                      <>
                        <Separator />
                        {t("refund")}
                      </>
                    )}
                  </span>
                  {voided === undefined && onVoid && (
                    <Button
                      size="sm"
                      variant="quiet"
                      aria-label={t("void-payment-of", { date: format.date(payment.date), amount: money(payment.amount) })}
                      onPress={() => onVoid(payment)}
                    >
                      {t("void-payment")}
                    </Button>
                  )}
                  <NumericText className={voided ? "text-fg-3 line-through" : ""}>
                    {format.amount(payment.refund ? `-${payment.amount}` : payment.amount, balance.currency)}
                  </NumericText>
                </div>
                <p className="text-2xs text-fg-2">
                  <bdi>{payment.recorded?.by ?? ""}</bdi>
                  {payment.reference !== "" && (
                    <>
                      <Separator />
                      <NameText>{payment.reference}</NameText>
                    </>
                  )}
                </p>
                {voided && <p className="text-2xs text-danger">{t("voided-because", { reason: voided.reason })}</p>}
              </li>
            );
          })}
        </ul>
      )}
      {!/^0(\.0*)?$/.test(credited) && (
        <Sum
          label={t(credited === balance.credited ? "credited" : "set-off")}
          amount={format.amount(credited, balance.currency)}
        />
      )}
      <Sum label={t(owed ? "to-refund" : "open-amount")} amount={money(balance.open.replace(/^-/, ""))} strong />
    </div>
  );
}

function Sum({ label, amount, strong = false }: { label: string; amount: string; strong?: boolean }) {
  return (
    <p
      className={`flex justify-between gap-3 border-line border-b px-3 py-2 last:border-b-0 ${strong ? "font-semibold" : "text-fg-2"}`}
    >
      <span>{label}</span>
      <NumericText>{amount}</NumericText>
    </p>
  );
}
