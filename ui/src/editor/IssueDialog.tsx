/** One confirmation of saving and issuing, or also freezing: organization, buyer, total, and what cannot be changed afterwards. */

import { Button } from "../components/Button";
import { Modal } from "../components/Modal";
import { useAnnouncement } from "../components/useAnnouncement";
import { Notice } from "../errors/Notice";
import { RetryNotice } from "../errors/RetryNotice";
import { usePendingRetry } from "../errors/usePendingRetry";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { DocumentSummary } from "../invoices/DocumentSummary";
import type { LifecycleAction } from "../invoices/lifecycleSteps";
import { stepHint } from "../invoices/stepHint";
import type { InvoiceContent } from "../ipc/bindings";
import { useDocumentPermissions } from "../queries/permissionsQuery";
import { SimilarList } from "./SimilarDocuments";
import { similarKeys } from "./similar";
import type { Checked } from "./useSubmission";

export interface IssueDialogProps {
  content: InvoiceContent;
  checked: Checked;
  busy: boolean;
  onConfirm: (steps: readonly LifecycleAction[]) => void;
  onClose: () => void;
}

export function IssueDialog({ content, checked, busy, onConfirm, onClose }: IssueDialogProps) {
  const { t } = useLocalizer();
  const retry = usePendingRetry(["create_document", "update_document", "issue_document", "freeze_document"]);
  const { kind, buyer, currency } = content;
  const freezes = useDocumentPermissions().freezeDocuments;
  useAnnouncement(busy ? t("save-issue-busy") : null);
  // While it runs, closing would hide how it ends.
  const close = () => {
    if (!busy) onClose();
  };
  return (
    <Modal
      title={t("save-issue-title")}
      role="alertdialog"
      isOpen
      onClose={close}
      actions={
        <>
          <Button isBusy={busy} onPress={close}>
            {t("cancel")}
          </Button>
          {freezes && (
            <Button isBusy={busy} onPress={() => onConfirm(["issue", "freeze"])}>
              {t("save-issue-freeze-confirm")}
            </Button>
          )}
          <Button variant="primary" autoFocus isBusy={busy} onPress={() => onConfirm(["issue"])}>
            {t("save-issue")}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <DocumentSummary
          document={{ kind, number: "", buyer: buyer.name, gross: checked.calculation.totals?.gross ?? "", currency }}
        />
        {similarKeys(checked.similar).length > 0 && (
          <div className="flex flex-col gap-2">
            <Notice severity="warning" variant="card" text={t("similar-hint")} />
            <SimilarList similar={checked.similar} />
          </div>
        )}
        <ul className="flex list-disc flex-col gap-1 ps-5">
          <li>{t(stepHint("issue", kind))}</li>
          {freezes && <li>{t("save-issue-freeze-hint")}</li>}
        </ul>
        {busy && <p>{t("save-issue-busy")}</p>}
        {busy && retry && <RetryNotice retry={retry} variant="card" />}
      </div>
    </Modal>
  );
}
