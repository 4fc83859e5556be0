/** Chooses what of an invoice a credit note gives back, before the note opens in the editor. */

import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { Button } from "../components/Button";
import { keepFocus } from "../components/keepFocus";
import { LoadingText } from "../components/LoadingText";
import { Modal } from "../components/Modal";
import { useNewDraft } from "../drafts/useNewDraft";
import { ErrorNotice } from "../errors/ErrorNotice";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { creditNoteContent } from "../invoices/derivedContent";
import type { InvoiceView } from "../ipc/bindings";
import { commandError } from "../ipc/call";
import { relationsQuery } from "../queries/relationQueries";
import { useWorkspace } from "../state/workspace";
import { CreditNoteForm } from "./CreditNoteForm";

export interface CreditNoteDialogProps {
  isOpen: boolean;
  view: InvoiceView;
  onClose: () => void;
}

export function CreditNoteDialog({ isOpen, ...props }: CreditNoteDialogProps) {
  // What is left is read again each time it opens.
  return isOpen && <OpenDialog {...props} />;
}

function OpenDialog({ view, onClose }: Omit<CreditNoteDialogProps, "isOpen">) {
  // The form hands the focus back to the dialog that was shown while it waited.
  useEffect(
    () => () => {
      keepFocus(() => document.querySelector<HTMLElement>("aside[data-detail]"));
    },
    [],
  );
  const { t } = useLocalizer();
  const { organization } = useWorkspace();
  const { start, busy, error } = useNewDraft();
  const query = useQuery({ ...relationsQuery(organization.id, view.row.key), refetchOnMount: "always" });
  const notice = error && <ErrorNotice error={error} variant="card" />;
  // What is typed stays if a later read fails, after a write of another window.
  const [opened] = useState(() => Date.now());
  if (query.data && query.dataUpdatedAt >= opened) {
    return <CreditNoteForm view={view} relations={query.data} busy={busy} notice={notice} onStart={start} onClose={onClose} />;
  }
  return (
    <Modal
      title={t("credit-title", { number: view.row.number })}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>{t("cancel")}</Button>
          {/* Without an answer of the service all of it can be credited. The service checks the limit. */}
          {query.error && (
            <Button isBusy={busy} onPress={() => start(creditNoteContent(view))}>
              {t("credit-whole")}
            </Button>
          )}
        </>
      }
    >
      {notice}
      {query.error ? (
        <ErrorNotice error={commandError(query.error)} variant="card" handlers={{ tryNow: () => void query.refetch() }} />
      ) : (
        <LoadingText />
      )}
    </Modal>
  );
}
