/** Deletes a saved document that has no number, after a confirmation. The service has no way back. */

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "../components/Button";
import { Modal } from "../components/Modal";
import { showStatus } from "../components/statusMessage";
import { useIsShown } from "../components/useIsShown";
import { ErrorNotice } from "../errors/ErrorNotice";
import { RetryNotice } from "../errors/RetryNotice";
import { usePendingRetry } from "../errors/usePendingRetry";
import { useShowError } from "../errors/useShowError";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { CommandError, InvoiceView } from "../ipc/bindings";
import { commandError, commands } from "../ipc/call";
import { invalidateDocuments } from "../queries/documentWrites";
import { invoiceKey } from "../queries/invoiceQuery";
import { setAnswer } from "../queries/setAnswer";
import { withBinding } from "../state/withBinding";
import { useWorkspace } from "../state/workspace";
import { DocumentSummary } from "./DocumentSummary";

export interface DeleteDialogProps {
  isOpen: boolean;
  view: InvoiceView;
  onDeleted: () => void;
  onClose: () => void;
}

export function DeleteDialog({ isOpen, view, onDeleted, onClose }: DeleteDialogProps) {
  const { t } = useLocalizer();
  const client = useQueryClient();
  const { organization } = useWorkspace();
  const retry = usePendingRetry(["delete_document"]);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<CommandError | null>(null);
  const isDetailShown = useIsShown();
  const showError = useShowError(isOpen);
  const { id } = organization;
  const { key, stamp } = view.row;
  const remove = async () => {
    setBusy(true);
    setError(null);
    try {
      await withBinding(id, (binding) => commands.deleteDocument(binding, key, stamp));
      showStatus(t("deleted-announcement"));
      // Another document may be open by now.
      if (isDetailShown.current) onDeleted();
      client.removeQueries({ queryKey: invoiceKey(id, key) });
    } catch (thrown) {
      const failed = commandError(thrown);
      // Show the current document at once. The user decides whether to delete that.
      if ("current" in failed && failed.current) setAnswer(client, invoiceKey(id, key), failed.current);
      showError(failed, setError);
      setBusy(false);
    }
    invalidateDocuments(client, id);
  };
  return (
    <Modal
      title={t("delete-document-title")}
      role="alertdialog"
      isOpen={isOpen}
      onClose={onClose}
      actions={
        <>
          <Button autoFocus onPress={onClose}>
            {t("cancel")}
          </Button>
          <Button variant="danger" isBusy={busy} onPress={() => void remove()}>
            {t("delete-document")}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <DocumentSummary document={view.row} />
        <p>{t("delete-document-hint", { organization: organization.name })}</p>
        {busy && retry && <RetryNotice retry={retry} variant="card" />}
        {error && <ErrorNotice error={error} variant="card" handlers={{ tryNow: () => void remove() }} />}
      </div>
    </Modal>
  );
}
