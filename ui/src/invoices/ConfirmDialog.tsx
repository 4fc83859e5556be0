/** Asked before what cannot be undone: it names the organization, in its colour, the document and the amount. */

import { useWorkplace } from "../app/workplace";
import { ErrorNotice } from "../errors/ErrorNotice";
import { useWait, WaitNotice } from "../errors/WaitNotice";
import type { CommandError, InvoiceView } from "../ipc/bindings";
import { Button } from "../parts/Button";
import { Figure, Name } from "../parts/Figure";
import { Modal } from "../parts/Modal";
import { OrganizationBadge } from "../parts/OrganizationBadge";
import { useSignIn } from "../session/useSignIn";
import { useWords } from "../words/WordsProvider";
import { inLanguage, withSign } from "./row";
import type { InvoiceStep } from "./useInvoiceStep";

export interface ConfirmDialogProps {
  step: InvoiceStep;
  view: InvoiceView;
  busy: boolean;
  error: CommandError | null;
  onConfirm: () => void;
  onClose: () => void;
}

export function ConfirmDialog({ step, view, busy, error, onConfirm, onClose }: ConfirmDialogProps) {
  const { t, format, language } = useWords();
  const { organization } = useWorkplace();
  const signIn = useSignIn();
  const wait = useWait(["issue_document", "freeze_invoice"]);
  const { row } = view;
  return (
    <Modal
      title={t(step === "freeze" ? "freeze-title" : "issue-title")}
      role="alertdialog"
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button autoFocus onPress={onClose}>
            {t("cancel")}
          </Button>
          <Button tone={step === "freeze" ? "danger" : "primary"} isDisabled={busy} onPress={onConfirm}>
            {step === "freeze" ? t("freeze-confirm") : t("issue-confirm")}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <div className="overflow-hidden rounded-md border border-line-strong" style={{ "--org": organization.color }}>
          <div className="org-edge h-[3px]" data-pattern={organization.pattern % 8} aria-hidden="true" />
          <div className="flex items-center gap-3 border-line border-b p-3">
            <OrganizationBadge organization={organization} size="lg" />
            <div className="min-w-0">
              <Name className="block truncate font-semibold text-md">{organization.name}</Name>
              <Figure className="text-ink-2 text-xs">{organization.domain}</Figure>
            </div>
          </div>
          <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-1 p-3">
            <dt className="text-ink-2">{t("column-number")}</dt>
            <dd>{row.number === "" ? t("number-comes") : <Figure className="font-semibold">{row.number}</Figure>}</dd>
            <dt className="text-ink-2">{t("column-buyer")}</dt>
            <dd className="min-w-0 break-words">
              <Name>{inLanguage(row.buyer, language)}</Name>
            </dd>
            <dt className="text-ink-2">{t("column-gross")}</dt>
            <dd>
              <Figure className="font-semibold">{format.money(withSign(row, row.gross), row.currency)}</Figure>
            </dd>
          </dl>
        </div>
        <p>{t(step === "freeze" ? "freeze-about" : "issue-about")}</p>
        {busy && wait && <WaitNotice wait={wait} shape="card" />}
        {error && (
          <ErrorNotice
            error={error}
            shape="card"
            handlers={{ refreshOrganizations: signIn.refreshOrganizations, tryNow: onConfirm }}
          />
        )}
      </div>
    </Modal>
  );
}
