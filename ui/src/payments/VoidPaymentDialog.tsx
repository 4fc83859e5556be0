/** Voids a payment with a reason: an entry of the opposite amount, nothing is removed. */

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Form } from "react-aria-components";
import { announce } from "../components/announce";
import { NumericText, Separator } from "../components/BidiText";
import { Button } from "../components/Button";
import { DiscardQuestionText } from "../components/DiscardQuestionText";
import { TextField } from "../components/Field";
import { Modal } from "../components/Modal";
import { useDiscardQuestion } from "../components/useDiscardQuestion";
import { useIsShown } from "../components/useIsShown";
import { ErrorNotice } from "../errors/ErrorNotice";
import { RetryNotice } from "../errors/RetryNotice";
import { usePendingRetry } from "../errors/usePendingRetry";
import { useShowError } from "../errors/useShowError";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { CommandError, InvoiceRow, PaymentView } from "../ipc/bindings";
import { commandError, commands } from "../ipc/call";
import { setPayments } from "../queries/paymentsQuery";
import { withBinding } from "../state/withBinding";
import { useWorkspace } from "../state/workspace";

export interface VoidPaymentDialogProps {
  row: InvoiceRow;
  payment: PaymentView;
  onClose: () => void;
}

export function VoidPaymentDialog({ row, payment, onClose }: VoidPaymentDialogProps) {
  const { t, format } = useLocalizer();
  const client = useQueryClient();
  const { organization } = useWorkspace();
  const [reason, setReason] = useState("");
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<CommandError | null>(null);
  const showError = useShowError();
  const isShown = useIsShown();
  const retry = usePendingRetry(["void_payment"]);
  // It may be voided, whatever a later attempt says: closing does not keep it.
  const [isSent, setIsSent] = useState(false);
  const isUnderWay = busy || isSent;
  const { asking, close, keep } = useDiscardQuestion(reason.trim() !== "" && !isUnderWay, onClose);
  const change = (text: string) => {
    keep();
    setReason(text);
  };
  const submit = async () => {
    if (busy || reason.trim() === "") return;
    setBusy(true);
    setError(null);
    keep();
    try {
      const view = await withBinding(organization.id, (binding) => commands.voidPayment(binding, row.key, payment.key, reason));
      setPayments(client, organization.id, row.key, view);
      announce(t("payment-voided"));
      // It may have been closed, and another dialog opened.
      if (isShown.current) onClose();
    } catch (thrown) {
      const failed = commandError(thrown);
      if (failed.kind === "unknownOutcome") setIsSent(true);
      showError(failed, setError);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Modal
      title={t("void-payment-title")}
      role="alertdialog"
      isOpen
      onClose={close}
      actions={
        <>
          <Button onPress={close}>{t(isUnderWay ? "close" : asking ? "void-payment-discard" : "keep-payment")}</Button>
          <Button variant="danger" isDisabled={reason.trim() === ""} isBusy={busy} onPress={() => void submit()}>
            {t("void-payment-confirm")}
          </Button>
        </>
      }
    >
      <Form
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
        className="flex flex-col gap-3"
      >
        <p>
          <NumericText className="font-semibold">{format.money(payment.amount, row.currency)}</NumericText>
          <Separator />
          <span className="numeric">{format.date(payment.date)}</span>
        </p>
        <p className="text-fg-2">{t("void-payment-hint")}</p>
        <TextField label={t("field-void-reason")} isRequired autoFocus value={reason} onChange={change} />
        {asking && <DiscardQuestionText />}
        {busy && retry && <RetryNotice retry={retry} variant="card" />}
        {error && (
          <ErrorNotice
            error={error}
            variant="card"
            handlers={{
              tryNow: () => void submit(),
              // The same entry is sent again: it is stored once.
              ...(error.kind === "unknownOutcome" && { checkNow: () => void submit() }),
            }}
          />
        )}
        <button type="submit" hidden aria-hidden="true" tabIndex={-1} />
      </Form>
    </Modal>
  );
}
