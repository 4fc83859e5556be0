/** Confirmation of an irreversible action, with the organization, the document and the amount. */

import { NameText, NumericText } from "../components/BidiText";
import { Button } from "../components/Button";
import { Modal } from "../components/Modal";
import { OrganizationBadge } from "../components/OrganizationBadge";
import { ErrorNotice } from "../errors/ErrorNotice";
import { RetryNotice, usePendingRetry } from "../errors/RetryNotice";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { localizedText } from "../i18n/localizedText";
import type { CommandError, InvoiceView } from "../ipc/bindings";
import { useSignIn } from "../session/useSignIn";
import { useWorkspace } from "../state/workspace";
import { signedAmount } from "./rowText";
import type { LifecycleAction } from "./useLifecycleAction";

export interface ConfirmDialogProps {
  action: LifecycleAction;
  view: InvoiceView;
  busy: boolean;
  error: CommandError | null;
  onConfirm: () => void;
  onClose: () => void;
}

export function ConfirmDialog({ action, view, busy, error, onConfirm, onClose }: ConfirmDialogProps) {
  const { t, format, language } = useLocalizer();
  const { organization } = useWorkspace();
  const signIn = useSignIn();
  const retry = usePendingRetry(["issue_document", "freeze_document"]);
  const { row } = view;
  return (
    <Modal
      title={t(action === "freeze" ? "freeze-title" : "issue-title")}
      role="alertdialog"
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button autoFocus onPress={onClose}>
            {t("cancel")}
          </Button>
          <Button variant={action === "freeze" ? "danger" : "primary"} isDisabled={busy} onPress={onConfirm}>
            {action === "freeze" ? t("freeze-confirm") : t("issue-confirm")}
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
              <NameText className="block truncate font-semibold text-md">{organization.name}</NameText>
              <NumericText className="text-fg-2 text-xs">{organization.domain}</NumericText>
            </div>
          </div>
          <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-1 p-3">
            <dt className="text-fg-2">{t("column-number")}</dt>
            <dd>{row.number === "" ? t("number-pending") : <NumericText className="font-semibold">{row.number}</NumericText>}</dd>
            <dt className="text-fg-2">{t("column-buyer")}</dt>
            <dd className="min-w-0 break-words">
              <NameText>{localizedText(row.buyer, language)}</NameText>
            </dd>
            <dt className="text-fg-2">{t("column-gross")}</dt>
            <dd>
              <NumericText className="font-semibold">{format.money(signedAmount(row, row.gross), row.currency)}</NumericText>
            </dd>
          </dl>
        </div>
        <p>{t(action === "freeze" ? "freeze-hint" : "issue-hint")}</p>
        {busy && retry && <RetryNotice retry={retry} variant="card" />}
        {error && (
          <ErrorNotice
            error={error}
            variant="card"
            handlers={{ refreshOrganizations: signIn.refreshOrganizations, tryNow: onConfirm }}
          />
        )}
      </div>
    </Modal>
  );
}
