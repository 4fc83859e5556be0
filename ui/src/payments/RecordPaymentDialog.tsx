/** Records a payment or a refund: the day and what is open are proposed, Enter accepts. What was typed is not lost by Escape without a question. */

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Form } from "react-aria-components";
import { announce } from "../components/announce";
import { NameText, NumericText } from "../components/BidiText";
import { Button } from "../components/Button";
import { DateField } from "../components/DateField";
import { TextField } from "../components/Field";
import { Modal } from "../components/Modal";
import { useDiscardQuestion } from "../components/useDiscardQuestion";
import { useIsShown } from "../components/useIsShown";
import { CodeSelect } from "../editor/CodeSelect";
import { paymentMeansList } from "../editor/details/reasonCodes";
import { ErrorNotice } from "../errors/ErrorNotice";
import { RetryNotice } from "../errors/RetryNotice";
import { usePendingRetry } from "../errors/usePendingRetry";
import { useShowError } from "../errors/useShowError";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { localizedText } from "../i18n/localizedText";
import type { CommandError, InvoiceRow, NewPayment } from "../ipc/bindings";
import { commandError, commands } from "../ipc/call";
import { setPayments } from "../queries/paymentsQuery";
import { useOpeningQuery } from "../queries/useOpeningQuery";
import { withBinding } from "../state/withBinding";
import { useWorkspace } from "../state/workspace";
import { paymentFieldErrors } from "./paymentFieldErrors";

export function RecordPaymentDialog({ row, onClose }: { row: InvoiceRow; onClose: () => void }) {
  const { t } = useLocalizer();
  const { organization } = useWorkspace();
  const proposal = useOpeningQuery([organization.id, "new-payment", row.key], () =>
    withBinding(organization.id, (binding) => commands.newPayment(binding, row.key)),
  );
  if (proposal.data) return <PaymentForm row={row} proposal={proposal.data} onClose={onClose} />;
  // The proposal is read in a moment: a dialog that waits would only flash.
  if (!proposal.error) return null;
  return (
    <Modal title={t("record-payment-title")} isOpen onClose={onClose}>
      <ErrorNotice error={commandError(proposal.error)} variant="card" handlers={{ tryNow: () => void proposal.refetch() }} />
    </Modal>
  );
}

function PaymentForm({ row, proposal, onClose }: { row: InvoiceRow; proposal: NewPayment; onClose: () => void }) {
  const localizer = useLocalizer();
  const { t, format, language } = localizer;
  const client = useQueryClient();
  const { organization } = useWorkspace();
  const [payment, setPayment] = useState(proposal);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<CommandError | null>(null);
  const showError = useShowError();
  const isShown = useIsShown();
  const retry = usePendingRetry(["record_payment"]);
  // It may be recorded as it was sent, whatever a later attempt says. Sent otherwise under its key, it would count as recorded with what is
  // typed now.
  const [isSent, setIsSent] = useState(false);
  // What is under way, or may have been recorded, is not taken back by closing.
  const isUnderWay = busy || isSent;
  const typed = payment !== proposal && !isUnderWay;
  const { asking, close, keep } = useDiscardQuestion(typed, onClose);
  const change = (part: Partial<NewPayment>) => {
    keep();
    setPayment({ ...payment, ...part });
  };
  const record = async () => {
    if (busy) return;
    setBusy(true);
    keep();
    setError(null);
    try {
      const view = await withBinding(organization.id, (binding) => commands.recordPayment(binding, payment));
      setPayments(client, organization.id, row.key, view);
      announce(t(payment.refund ? "refund-recorded" : "payment-recorded"));
      // It may have been closed, and another dialog opened.
      if (isShown.current) onClose();
    } catch (thrown) {
      const failed = commandError(thrown);
      if (failed.kind === "unknownOutcome") {
        setIsSent(true);
        // Without what was typed while it was sent.
        setPayment(payment);
      }
      showError(failed, setError);
    } finally {
      setBusy(false);
    }
  };
  const fieldErrors = paymentFieldErrors(error, localizer);
  return (
    <Modal
      title={t(payment.refund ? "record-refund-title" : "record-payment-title")}
      isOpen
      onClose={close}
      actions={
        <>
          <Button onPress={close}>{t(isUnderWay ? "close" : asking ? "discard-payment" : "cancel")}</Button>
          <Button variant="primary" isBusy={busy} onPress={() => void record()}>
            {t("record-payment-confirm")}
          </Button>
        </>
      }
    >
      <Form
        validationBehavior="aria"
        validationErrors={fieldErrors}
        onSubmit={(event) => {
          event.preventDefault();
          void record();
        }}
        className="flex flex-col gap-3"
      >
        <p className="text-fg-2">
          <NumericText className="font-semibold text-fg">{row.number}</NumericText>{" "}
          <NameText>{localizedText(row.buyer, language)}</NameText>
        </p>
        <div className="grid grid-cols-2 gap-3 max-narrow:grid-cols-1">
          <TextField
            label={t("field-payment-amount", { currency: payment.currency })}
            name="amount"
            value={payment.amount}
            onChange={(text) => change({ amount: text })}
            hint={t(payment.refund ? "to-refund-of" : "open-of", { amount: format.money(proposal.amount, proposal.currency) })}
            numeric
            isReadOnly={isSent}
            autoFocus
            onFocus={({ target }) => (target as HTMLInputElement).select()}
          />
          <DateField
            label={t("field-payment-date")}
            name="date"
            keepsUnfinished
            isDisabled={isSent}
            value={payment.date}
            onChange={(date) => change({ date })}
          />
          <CodeSelect
            label={t("field-payment-means")}
            name="means"
            isDisabled={isSent}
            value={payment.means}
            list={paymentMeansList}
            none={{ id: "", label: t("means-none") }}
            onChange={(means) => change({ means })}
          />
          <TextField
            label={t("field-payment-reference")}
            name="reference"
            isReadOnly={isSent}
            value={payment.reference}
            onChange={(text) => change({ reference: text })}
          />
        </div>
        {asking && (
          <p role="alert" className="text-warning">
            {t("payment-not-recorded")}
          </p>
        )}
        {busy && retry && <RetryNotice retry={retry} variant="card" />}
        {error && Object.keys(fieldErrors).length === 0 && (
          <ErrorNotice
            error={error}
            variant="card"
            handlers={{ tryNow: () => void record(), ...(isSent && { checkNow: () => void record() }) }}
          />
        )}
        {/* Enter in a field accepts. */}
        <button type="submit" hidden aria-hidden="true" tabIndex={-1} />
      </Form>
    </Modal>
  );
}
